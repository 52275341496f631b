# Completion of codifica-guard, git-codifica and git codifica for fish.
#
# What may stand at the cursor is asked of the program itself. Its answer is data: compared and listed, never evaluated, and
# the program offers nothing that a shell would take for more than a word.

# $argv[1]: the program whose words stand on the line: git, or one of ours.
function __codifica_guard_complete
    command -q codifica-guard; or return
    set -l words (commandline -opc)
    set -l here (commandline -ct)
    set -e words[1]
    # An option and its value may be one word: only the value is a path.
    set -l head (string match -r -- '^--?[a-zA-Z-]+=' "$here")
    set -l path (string replace -- "$head" '' "$here")
    for line in (command codifica-guard __complete $argv[1] $words "$here" 2>/dev/null </dev/null)
        switch $line
            case ':files'
                string replace -r -- '^' "$head" (__fish_complete_path "$path")
            case ':folders'
                string replace -r -- '^' "$head" (__fish_complete_directories "$path" '')
            case '*'
                printf '%s\n' $line
        end
    end
end

complete -c codifica-guard -f -k -a '(__codifica_guard_complete codifica-guard)'
complete -c git-codifica -f -k -a '(__codifica_guard_complete git-codifica)'
# The file in vendor_conf.d, where it is there, has said so already.
set -q __codifica_guard_folder
or complete -c git -n 'contains -- codifica (commandline -opc)' -f -k -a '(__codifica_guard_complete git)'
