#!/usr/bin/env bash
# Builds a User-Mode Linux kernel with simulated GPIO lines (gpio-sim) and cameras (vivid, vimc) from Debian's linux-source-6.1: 139 MB are
# fetched, 1.7 GB are used while it is built, a few minutes on two cores. The kernel stays in a cache.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
kernel=${COMPANION_PINS_KERNEL:-${XDG_CACHE_HOME:-$HOME/.cache}/table-companion/pins-kernel/linux}
if [ -x "$kernel" ]; then
  echo "The kernel is there already: $kernel"
  exit 0
fi
for tool in gcc make flex bison bc xz dpkg apt-get; do
  command -v "$tool" >/dev/null || {
    echo "There is no $tool: apt install build-essential flex bison bc xz-utils (on a Debian system)." >&2
    exit 1
  }
done
work=$(mktemp -d "${TMPDIR:-/var/tmp}/pins-kernel.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download --quiet linux-source-6.1
dpkg --fsys-tarfile linux-source-6.1_*.deb | tar -xO ./usr/src/linux-source-6.1.tar.xz | tar -xJ
cd linux-source-6.1
# A thousand ticks a second: with the usual hundred, edges closer than 10 ms to one another become one.
sed -i '/^config HZ/,/^$/s/default 100/default 1000/' arch/um/Kconfig
mkdir ../built
make -s ARCH=um O=../built defconfig
scripts/kconfig/merge_config.sh -m -O ../built ../built/.config "$here/kernel.config" >/dev/null
make -s ARCH=um O=../built olddefconfig
for needed in GPIO_SIM UML_PCI_OVER_VIRTIO HOSTFS VIDEO_VIVID VIDEO_VIMC DMABUF_HEAPS_SYSTEM EXT4_FS BLK_DEV_LOOP; do
  grep -q "^CONFIG_$needed=y" ../built/.config || { echo "This kernel would have no $needed." >&2; exit 1; }
done
make -s ARCH=um O=../built -j"$(nproc)"
mkdir -p "$(dirname "$kernel")"
strip -o "$kernel" ../built/linux
echo "The kernel is at $kernel"
