#!/usr/bin/env bash
# Lets this machine run programs of another architecture: foreign.sh arm64. Needs root and the package qemu-user-static.
set -euo pipefail
declare -A named=([arm64]=aarch64 [amd64]=x86_64 [armhf]=arm)
name=${named[$1]:?"no known architecture"}
registered=/proc/sys/fs/binfmt_misc
[ -e "$registered/register" ] || mount -t binfmt_misc binfmt_misc "$registered"
[ -e "$registered/qemu-$name" ] && exit 0
rule=/usr/lib/binfmt.d/qemu-$name.conf
[ -e "$rule" ] || { echo "There is no $rule: apt install qemu-user-static." >&2; exit 1; }
cat "$rule" >"$registered/register"
