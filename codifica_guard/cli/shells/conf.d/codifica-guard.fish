# Completion of git codifica for fish: not every version comes to it from its own completion of git. Nothing is run before TAB.
set -g __codifica_guard_folder (status dirname)/../vendor_completions.d

function __codifica_guard_git
    functions -q __codifica_guard_complete
    or source $__codifica_guard_folder/codifica-guard.fish 2>/dev/null
    and __codifica_guard_complete git
end

complete -c git -n 'contains -- codifica (commandline -opc)' -f -k -a '(__codifica_guard_git)'
