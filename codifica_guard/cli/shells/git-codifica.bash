# Loaded by name when git's own completion comes to git codifica: it stands in the file beside this one.
if [[ -r ${BASH_SOURCE[0]%/*}/codifica-guard ]]; then
  . "${BASH_SOURCE[0]%/*}/codifica-guard"
fi
