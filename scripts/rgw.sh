#!/bin/sh
# A throw-away S3-compatible store for tests: Ceph RADOS Gateway on loopback, data in memory.
#   scripts/rgw.sh start DIR   prints PLUMBLINE_TEST_S3_URL=s3://…
#   scripts/rgw.sh stop DIR    ends it by its own process ids and removes DIR
set -eu

action=${1:-} dir=${2:-}
[ -n "$dir" ] || { echo "usage: $0 start|stop DIR" >&2; exit 2; }

stop() {
  for name in radosgw osd mon; do
    file="$dir/$name.pid"
    [ -s "$file" ] || continue
    pid=$(cat "$file")
    # The command line must name DIR: the id may belong to another process by now.
    grep -qaF "$dir" "/proc/$pid/cmdline" 2>/dev/null || continue
    kill "$pid" 2>/dev/null || true
    tries=0
    while kill -0 "$pid" 2>/dev/null && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
    kill -9 "$pid" 2>/dev/null || true
  done
  rm -rf "$dir"
}

install_ceph() {
  command -v radosgw >/dev/null && command -v ceph-mon >/dev/null && command -v ceph-osd >/dev/null && command -v ceph >/dev/null && return
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "Install radosgw, ceph-mon, ceph-osd and ceph-common first (Debian or Ubuntu packages)." >&2
    exit 1
  fi
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends radosgw ceph-mon ceph-osd ceph-common; } >&2
}

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

write_config() {
  fsid=$(cat /proc/sys/kernel/random/uuid)
  cat >"$dir/ceph.conf" <<CONF
[global]
fsid = $fsid
mon host = [v2:127.0.0.1:$mon_port2,v1:127.0.0.1:$mon_port1]
ms bind ipv4 = true
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
keyring = $dir/keyring
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon max pg per osd = 1000
mon data avail crit = 1
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 4294967296
run dir = $dir
admin socket = $dir/\$name.asok
mon data = $dir/mon
osd data = $dir/osd
log file = $dir/\$name.log
[mon.a]
pid file = $dir/mon.pid
[osd.0]
pid file = $dir/osd.pid
[client.rgw]
pid file = $dir/radosgw.pid
rgw data = $dir/rgw
rgw frontends = beast endpoint=127.0.0.1:$http_port
CONF
}

make_keys() {
  ceph-authtool --create-keyring "$dir/keyring" --gen-key -n mon. --cap mon 'allow *'
  ceph-authtool "$dir/keyring" --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'
  ceph-authtool "$dir/keyring" --gen-key -n client.rgw --cap mon 'allow rwx' --cap osd 'allow rwx'
  ceph-authtool "$dir/keyring" --gen-key -n osd.0 --cap mon 'allow profile osd' --cap osd 'allow *'
}

wait_for_http() {
  tries=0
  until python3 -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:$http_port/', timeout=2)" 2>/dev/null; do
    tries=$((tries + 1))
    [ $tries -lt 120 ] || { echo "The gateway did not start; see the logs in $dir." >&2; exit 1; }
    sleep 0.5
  done
}

bring_up() {
  make_keys
  monmaptool --create --fsid "$fsid" --addv a "[v2:127.0.0.1:$mon_port2,v1:127.0.0.1:$mon_port1]" "$dir/monmap"
  ceph-mon $conf --mkfs -i a --monmap "$dir/monmap" --keyring "$dir/keyring"
  ceph-mon $conf -i a
  osd_uuid=$(cat /proc/sys/kernel/random/uuid)
  ceph $conf osd new "$osd_uuid"
  ceph-osd $conf -i 0 --mkfs --osd-uuid "$osd_uuid"
  ceph-osd $conf -i 0
  radosgw $conf -n client.rgw --keyring "$dir/keyring"
  wait_for_http
  radosgw-admin $conf -n client.admin user create --uid=test --display-name=Test --access-key=testaccess --secret-key=testsecret
}

start() {
  install_ceph
  mkdir -p "$dir"
  dir=$(cd "$dir" && pwd)
  [ ! -e "$dir/ceph.conf" ] || { echo "$dir is already in use; stop it first." >&2; exit 1; }
  mkdir -p "$dir/mon" "$dir/osd" "$dir/rgw"
  mon_port1=$(free_port) mon_port2=$(free_port) http_port=$(free_port)
  conf="--conf $dir/ceph.conf"
  write_config
  trap 'cat "$dir/start.log" >&2' EXIT
  bring_up >"$dir/start.log" 2>&1
  trap - EXIT
  echo "PLUMBLINE_TEST_S3_URL=s3://testaccess:testsecret@127.0.0.1:$http_port/plumbline-test?region=us-east-1&tls=false"
}

case $action in
  start) start ;;
  stop) dir=$(cd "$dir" 2>/dev/null && pwd) || exit 0; stop ;;
  *) echo "usage: $0 start|stop DIR" >&2; exit 2 ;;
esac
