# Completion of codifica-guard, git-codifica and git codifica for bash.
#
# What may stand at the cursor is asked of the program itself. Its answer is data: compared and listed, never evaluated, and
# the program offers nothing that a shell would take for more than a word.

# Puts what fits the word $1 into COMPREPLY. $2: the program to ask; then its arguments. Nothing fits where it does not answer.
__codifica_guard_reply() {
  local here=$1 program head='' breaks=${COMP_WORDBREAKS//[^:=]/} answer line word want=''
  COMPREPLY=()
  if type -t compopt >/dev/null; then compopt +o nospace +o bashdefault +o default 2>/dev/null; fi
  program=$(type -P "$2") || return 0
  shift 2
  case $here in
    [\"\']*) here=${here:1} ;; # readline puts the quote back, and breaks no word in it
    *) [[ -z $breaks ]] || head=${here%"${here##*["$breaks"]}"} ;;
  esac
  answer=$("$program" __complete "$@" 2>/dev/null </dev/null) || return 0
  while IFS= read -r line; do
    word=${line%%$'\t'*}
    case $word in
      '') ;;
      :*) want=$word ;;
      "$here"*) COMPREPLY+=("${word#"$head"}") ;;
    esac
  done <<<"$answer"
  if type -t compopt >/dev/null; then
    case $want in
      :files) compopt -o default -o filenames 2>/dev/null ;;
      :folders) compopt -o dirnames -o filenames 2>/dev/null ;;
    esac
  fi
  return 0
}

# Sets words (up to the cursor) and cur, with what readline cut apart at = and : put together again.
__codifica_guard_words() {
  local rest=${COMP_LINE:0:COMP_POINT} trimmed part i
  words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    trimmed=${rest#"${rest%%[![:space:]]*}"}
    part=${COMP_WORDS[i]}
    ((i < COMP_CWORD)) || part=$trimmed
    if ((i == 0)) || [[ $trimmed != "$rest" ]]; then
      words+=("$part")
    else
      words[${#words[@]} - 1]+=$part
    fi
    rest=${trimmed#"$part"}
  done
  cur=${words[${#words[@]} - 1]}
}

_codifica_guard() {
  local cur words
  __codifica_guard_words
  __codifica_guard_reply "$cur" codifica-guard codifica-guard "${words[@]:1}"
}

# Called by git's own completion, which has set words, cword and cur.
_git_codifica() {
  __codifica_guard_reply "$cur" git-codifica git "${words[@]:1:cword-1}" "$cur"
}

# For a shell without git's own completion: gives way as soon as that can be loaded.
__codifica_guard_git() {
  local cur words cword IFS=$' \t\n'
  if complete -p -D >/dev/null 2>&1 || declare -F __git_main >/dev/null; then
    complete -r git
    if declare -F _completion_loader >/dev/null; then _completion_loader git >/dev/null 2>&1; fi
    if ! declare -F __git_wrap__git_main >/dev/null; then return 124; fi
    compopt -o nospace 2>/dev/null
    __git_wrap__git_main "$@"
    return
  fi
  __codifica_guard_words
  cword=$((${#words[@]} - 1))
  COMPREPLY=()
  case " ${words[*]:1:cword-1} " in
    *" codifica "*) _git_codifica ;;
  esac
}

if type -t compopt >/dev/null; then
  complete -F _codifica_guard codifica-guard git-codifica
else
  complete -o default -F _codifica_guard codifica-guard git-codifica
fi
if ! complete -p git >/dev/null 2>&1 && ! complete -p -D >/dev/null 2>&1 && ! declare -F __git_main >/dev/null; then
  complete -o bashdefault -o default -F __codifica_guard_git git
fi
