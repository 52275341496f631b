# Loaded by name when fish's completion of git comes to git codifica: it stands in the file beside this one.
source (status dirname)/codifica-guard.fish
