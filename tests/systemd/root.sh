#!/usr/bin/env bash
# Makes a clean Debian root for tests and installations of the services: root.sh SUITE [ARCHITECTURE] [ready]. It takes
# some 45 seconds on the machine's own architecture, four minutes on another one (by qemu-user-static), and is cached.
# `ready` makes a second root beside it, with the Debian packages that the companion needs.
set -euo pipefail
suite=$1 arch=${2:-$(dpkg --print-architecture)} ready=${3:-}
cache=${COMPANION_ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/table-companion/roots}
root=$cache/$suite-$arch
# Packages of each Raspberry Pi OS Lite that a minimal Debian lacks; the installation adds those of the companion.
packages=systemd,systemd-sysv,dbus,ca-certificates,iproute2,util-linux,login,procps,python3
if [ -n "$ready" ]; then
  clean=$root root=$root-ready
  [ -e "$root/.made" ] && { echo "The root is there already: $root"; exit 0; }
  "$0" "$suite" "$arch"
  rm -rf "$root"
  cp -a --reflink=auto "$clean" "$root"
  rm "$root/.made"
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  for step in update "install -y --no-install-recommends $(sed -n 's/.*always=(\(.*\))/\1/p' "$(dirname "$0")/../../systemd/install")" clean; do
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get -q $step
  done
  touch "$root/.made"
  echo "The root is at $root"
  exit 0
fi
if [ -e "$root/.made" ]; then
  echo "The root is there already: $root"
  exit 0
fi
[ "$(id -u)" = 0 ] || { echo "Only root can make a Debian root: run this with sudo." >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "There is no debootstrap: apt install debootstrap systemd-container." >&2; exit 1; }
if [ "$arch" != "$(dpkg --print-architecture)" ]; then
  "$(dirname "$0")/foreign.sh" "$arch"
fi
rm -rf "$root"
mkdir -p "$cache"
chmod 755 "$cache"
debootstrap --arch="$arch" --variant=minbase --include="$packages" "$suite" "$root" "${COMPANION_MIRROR:-http://deb.debian.org/debian}"
rm -f "$root"/var/cache/apt/archives/*.deb
# Nobody logs in, and the service would hang up the console that the test reads.
ln -sf /dev/null "$root/etc/systemd/system/console-getty.service"
touch "$root/.made"
echo "The root is at $root"
