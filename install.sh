#!/bin/sh
# Puts codifica-guard on this machine: one virtual environment a version, and a link that is flipped. No root needed.
set -eu
umask 022
unset PYTHONPATH PYTHONHOME PYTHONSTARTUP __PYVENV_LAUNCHER__ CDPATH 2>/dev/null || :
export PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1
source_dir=$(cd -P -- "$(dirname -- "$0")" && pwd -P)

usage() {
  cat <<'END'
usage: ./install.sh                     install this version and use it
       ./install.sh --use VERSION       use a version that is installed already (a folder's name)
       ./install.sh --offline WHEELS    install without network from a folder of wheels
                                        (made elsewhere, same Python and machine: pip wheel -w WHEELS .)
       ./install.sh demo [ARGS]         try it: install nothing outside the folder below, run codifica-guard demo
       ./install.sh test [ARGS]         run the tests in an environment of their own; ARGS go to pytest

where    $CODIFICA_HOME, else /opt/codifica-guard for root, else ~/.local/share/codifica-guard
commands $CODIFICA_BIN, else /usr/local/bin for root, else ~/.local/bin; manual pages and completion beside them, in ../share
python   $PYTHON, else the first of python3, python3.15 ... python3.11 that is 3.11 or newer
needs    git; for demo and test ssh-keygen as well
END
}

say() { printf '%-9s %s\n' "$1" "$2"; }
fail() { printf 'install.sh: %s\n' "$1" >&2; exit 1; }

is_root() { [ "$(id -u)" = 0 ]; }

find_places() {
  if [ -n "${CODIFICA_HOME:-}" ]; then home=$CODIFICA_HOME
  elif is_root; then home=/opt/codifica-guard
  else home=${HOME:?install.sh: HOME is not set; set CODIFICA_HOME}/.local/share/codifica-guard; fi
  if [ -n "${CODIFICA_BIN:-}" ]; then bin=$CODIFICA_BIN
  elif is_root; then bin=/usr/local/bin
  else bin=${HOME:?install.sh: HOME is not set; set CODIFICA_BIN}/.local/bin; fi
  mkdir -p -- "$home" 2>/dev/null || fail "cannot make the folder $home; set CODIFICA_HOME to one that you may write"
  home=$(cd -P -- "$home" && pwd -P)
  [ -w "$home" ] || fail "cannot write into $home; set CODIFICA_HOME to a folder that you may write"
}

find_python() {
  python=
  for candidate in ${PYTHON:+"$PYTHON"} python3 python3.15 python3.14 python3.13 python3.12 python3.11; do
    if found=$("$candidate" -I -c 'import sys
if sys.version_info >= (3, 11): print(sys.executable)' 2>/dev/null) && [ -n "$found" ]; then
      python=$found
      break
    fi
    [ "$candidate" != "${PYTHON:-}" ] || fail "\$PYTHON is $PYTHON, which is no Python 3.11 or newer"
  done
  [ -n "$python" ] || fail "no Python 3.11 or newer found ($(python3 --version 2>&1 || :)); Debian 12 and newer: apt-get install python3 python3-venv"
  "$python" -I -c 'import ensurepip, venv' 2>/dev/null ||
    fail "$python cannot make virtual environments (no venv module); Debian: apt-get install python3-venv"
}

need_git() { command -v git >/dev/null 2>&1 || fail "git is missing; Debian: apt-get install git"; }
need_ssh_keygen() { command -v ssh-keygen >/dev/null 2>&1 || fail "ssh-keygen is missing, $1 needs it; Debian: apt-get install openssh-client"; }

# Prints one hash over the files named (folders: all that is in them) and over the interpreter.
hash_of() {
  "$python" -I - "$source_dir" "$@" <<'END'
import hashlib, pathlib, sys
root = pathlib.Path(sys.argv[1])
total = hashlib.sha256(repr((sys.version, sys.executable)).encode())
for name in sys.argv[2:]:
    top = root / name
    for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
        if path.is_file() and "__pycache__" not in path.parts:
            data = path.read_bytes()
            total.update(repr((str(path.relative_to(root)), len(data))).encode() + data)
print(total.hexdigest()[:16])
END
}

make_venv() { # folder: a new virtual environment; what an interrupted run left is thrown away
  rm -rf -- "$1"
  "$python" -m venv "$1" || { rm -rf -- "$1"; fail "$python could not make a virtual environment in $1; Debian: apt-get install python3-venv"; }
  "$1/bin/python" -I -m pip --version >/dev/null 2>&1 || { rm -rf -- "$1"; fail "there is no pip in $1; Debian: apt-get install python3-venv python3-pip"; }
}

# Installs this folder's version beside the others; sets $venv. A folder with a finished mark is never changed again:
# pushes may be running from it. Other sources of the same version get a folder of their own.
install_version() {
  version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$source_dir/pyproject.toml" | head -n 1)
  [ -n "$version" ] || fail "no version in $source_dir/pyproject.toml"
  sources=$(hash_of pyproject.toml README.md LICENSE codifica_guard hooks schemas docs/man)
  venv=$home/$version
  [ ! -e "$venv/installed-from" ] || [ "$(cat "$venv/installed-from")" = "$sources" ] || venv=$home/$version-$sources
  if [ -e "$venv/installed-from" ] && "$venv/bin/python" -I -c 'import codifica_guard' 2>/dev/null; then
    say venv "$venv (there already, same sources)"
    return
  fi
  make_venv "$venv"
  if [ -z "$wheels" ]; then
    "$venv/bin/python" -I -m pip install --quiet "$source_dir" || { rm -rf -- "$venv"; fail "pip could not install; without network: ./install.sh --offline WHEELS"; }
  else
    set -- "$wheels/codifica_guard-$version-"*.whl
    [ -e "$1" ] || set -- "$source_dir"
    "$venv/bin/python" -I -m pip install --quiet --no-index --find-links "$wheels" "$1" ||
      { rm -rf -- "$venv"; fail "pip could not install from $wheels; fill it where there is a network: pip wheel -w WHEELS ."; }
  fi
  # The user that a hook runs as can often not write bytecode, and without it a start takes five times as long.
  "$venv/bin/python" -I -m compileall -q "$venv/lib" >/dev/null 2>&1 || :
  self_test
  printf '%s\n' "$sources" >"$venv/installed-from"
  say venv "$venv (self-test ok)"
}

self_test() {
  "$venv/bin/codifica-guard" --version >/dev/null || fail "self-test: $venv/bin/codifica-guard --version failed; nothing was switched"
  scratch=$(mktemp -d)
  git init -q --bare "$scratch/empty.git" || { rm -rf -- "$scratch"; fail "self-test: git init failed"; }
  if (cd -- "$scratch/empty.git" && GIT_DIR=. "$venv/bin/python" -I -m codifica_guard hook pre-receive </dev/null >/dev/null 2>&1); then
    rm -rf -- "$scratch"
    fail "self-test: the hook let empty input pass; nothing was switched"
  fi
  rm -rf -- "$scratch"
}

# The link is replaced by a rename: there is no moment without it. A running push resolved it before and stays where it is.
use_version() {
  [ -e "$home/$1/installed-from" ] || fail "$1 is not installed in $home; there are: $(installed)"
  before=$(readlink "$home/current" 2>/dev/null || :)
  [ -L "$home/current" ] || [ ! -e "$home/current" ] || fail "$home/current is no link; move it away"
  "$python" -I -c 'import os, sys
home, version = sys.argv[1:]
new = os.path.join(home, f".current-{os.getpid()}")
os.symlink(version, new)
os.replace(new, os.path.join(home, "current"))' "$home" "$1"
  if [ "$before" = "$1" ]; then say current "$1 (as before)"
  else
    say current "${before:+$before -> }$1   ($home/current)"
    [ -z "$before" ] || say undo "$0 --use $before"
  fi
}

installed() { (cd -- "$home" && for mark in */installed-from; do [ ! -e "$mark" ] || [ -L "${mark%/*}" ] || printf '%s ' "${mark%/*}"; done); }

# Links files of the version in use to where man and the shells look beside the commands: folder below share, names. Sets $put.
# Without them all works but the manual and completion, so nothing here fails, and what somebody else put there stays.
put_beside() {
  folder=$share/$1
  from=$home/current/share/$1
  shift
  for name in "$@"; do
    if [ ! -e "$from/$name" ]; then # another version brought it
      case $(readlink "$folder/$name" 2>/dev/null || :) in "$from/"*) rm -f -- "$folder/$name" || : ;; esac
    elif [ -e "$folder/$name" ] && [ ! -L "$folder/$name" ]; then
      say note "$folder/$name is there and no link of ours; it was left"
    elif mkdir -p -- "$folder" 2>/dev/null && ln -sfn -- "$from/$name" "$folder/$name" 2>/dev/null; then
      put=yes
    fi
  done
}

link_commands() {
  mkdir -p -- "$bin" 2>/dev/null && [ -w "$bin" ] || fail "cannot write into $bin; set CODIFICA_BIN to a folder that you may write"
  for command in codifica-guard git-codifica; do
    if [ -e "$bin/$command" ] && [ ! -L "$bin/$command" ]; then fail "$bin/$command is there and no link of ours; move it away"; fi
    was=$(readlink "$bin/$command" 2>/dev/null || :)
    [ "${was:-$home/current/bin/$command}" = "$home/current/bin/$command" ] || say note "$bin/$command was a link to $was"
    ln -sf -- "$home/current/bin/$command" "$bin/$command"
  done
  share=${bin%/}/share
  case ${bin%/} in */bin) share=${share%/bin/share}/share ;; esac
  put=
  put_beside man/man1 codifica-guard.1 git-codifica.1
  put_beside man/man5 codifica-guard-policy.5
  [ -z "$put" ] || say manual "$share/man"
  put=
  put_beside bash-completion/completions codifica-guard git-codifica
  put_beside zsh/site-functions _codifica-guard _git-codifica
  put_beside fish/vendor_completions.d codifica-guard.fish git-codifica.fish
  put_beside fish/vendor_conf.d codifica-guard.fish
  [ -z "$put" ] || say shells "$share/{bash-completion,zsh,fish}: completion, from the next shell on"
  say commands "$bin/codifica-guard, $bin/git-codifica"
  case ":$PATH:" in
    *":$bin:"*) ;;
    *) say note "$bin is not on your PATH: export PATH=\"$bin:\$PATH\"" ;;
  esac
}

run_tests() {
  need_ssh_keygen "the tests' signing"
  venv=$home/test-env
  wanted="$(hash_of pyproject.toml) $source_dir"
  if [ "$(cat "$venv/made-from" 2>/dev/null || :)" != "$wanted" ]; then
    make_venv "$venv"
    "$venv/bin/python" -I -m pip install --quiet --editable "${source_dir}[dev]" || fail "pip could not install what the tests need"
    printf '%s\n' "$wanted" >"$venv/made-from"
  fi
  cd -- "$source_dir"
  PATH=$venv/bin:$PATH exec "$venv/bin/python" -m pytest -n auto "$@"
}

wheels=
case ${1:-} in
  -h | --help) usage; exit 0 ;;
  "" | demo | test) ;;
  --use | --offline) [ "$#" = 2 ] || { usage >&2; exit 2; } ;;
  *) usage >&2; exit 2 ;;
esac
need_git
find_python
find_places
say python "$("$python" -I -c 'import platform; print(platform.python_version())') ($python)"
case ${1:-} in
  test)
    shift
    run_tests "$@"
    ;;
  demo)
    shift
    need_ssh_keygen "the demo's signing"
    install_version
    exec "$venv/bin/codifica-guard" demo "$@"
    ;;
  --use)
    use_version "$2"
    link_commands
    ;;
  *)
    if [ "${1:-}" = --offline ]; then
      wheels=$(cd -P -- "$2" 2>/dev/null && pwd -P) || fail "there is no folder $2"
    fi
    install_version
    use_version "${venv##*/}"
    link_commands
    say next "codifica-guard install /srv/git/REPOSITORY.git --maintainer KEY.pub   (as the repository's owner)"
    ;;
esac
