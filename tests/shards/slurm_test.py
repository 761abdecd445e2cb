#!/usr/bin/env python3
"""10,000 small cases in 8 tasks of a Slurm job array, some of them killed and submitted again: the manifest is that of one process.
A one-node Slurm is started in a temporary folder, on free ports, as root, and ended afterwards. Where it cannot be, the same is done
with plain processes, and said.  Usage: slurm_test.py ATTEST [--cases N] [--without-slurm]"""
import argparse
import hashlib
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHARDS = 8
PATIENCE = 300  # seconds after which something hangs, on a busy machine too
KINDS = [  # heads, context, embed_dim, head_dim, examples, claims and what they come to
    (2, 2, 2, 1, 3, [("rank", "verified")]),
    (2, 2, 2, 1, 5, [("affine-hull-bound", "verified")]),
    (1, 3, 2, 1, 4, [("rank", "verified"), ("assumption-1", "refuted")]),
    (2, 2, 3, 2, 4, [("proposition-2", "inapplicable")]),
    (1, 2, 2, 2, 3, [("kruskal-rank", "verified")]),
]


class Cannot(Exception):
    """Slurm cannot be started here."""


def write_cases(folder, count):
    for k in range(count):
        heads, context, d, head_dim, examples, claims = KINDS[k % len(KINDS)]
        # Some are equal but for their titles.
        seed = k if k % 97 else 0
        text = (f'format = 1\ntitle = "Generated case {k}"\n[layer]\nheads = {heads}\ncontext = {context}\nembed_dim = {d}\n'
                f'head_dim = {head_dim}\nexamples = {examples}\n[data]\ngenerate = {{ kind = "integers", bound = 99, seed = {seed} }}\n'
                f'[weights]\ngenerate = {{ kind = "integers", bound = 3, seed = {seed} }}\n')
        text += "".join(f'[[claim]]\nstatement = "{claim}"\nexpect = "{expect}"\n' for claim, expect in claims)
        path = folder / f"{k // 100:03}" / f"{k:05}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Slurm:
    """A cluster of this machine alone."""

    def __init__(self, folder):
        self.folder = folder
        self.daemons = []
        missing = [name for name in ("munged", "slurmctld", "slurmd", "sbatch", "scancel", "squeue")
                   if shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin") is None]
        if missing:
            raise Cannot(f"{', '.join(missing)} not installed")
        if os.geteuid() != 0:
            raise Cannot("not root")
        os.environ["PATH"] += ":/usr/sbin:/sbin"
        control, node = free_ports(2)
        host = socket.gethostname().split(".")[0]
        key = folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        for name in ("state", "spool"):
            (folder / name).mkdir()
        conf = folder / "slurm.conf"
        conf.write_text(f"""
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmdPort={node}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
KillWait=1
MinJobAge=300
NodeName={host} NodeAddr=127.0.0.1 CPUs={SHARDS} RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
""")
        os.environ["SLURM_CONF"] = str(conf)
        try:
            self.start(["munged", "--foreground", "--force", f"--socket={folder}/munge.socket", f"--key-file={key}",
                        f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log", f"--seed-file={folder}/munge.seed"])
            self.wait_until(lambda: (folder / "munge.socket").exists(), 60, "munged does not start")
            self.start(["slurmctld", "-D", "-f", str(conf)])
            self.start(["slurmd", "-D", "-f", str(conf)])
            self.wait_until(self.ready, 120, "the node does not come up")
        except BaseException:
            self.stop()
            raise

    def start(self, command):
        log = open(self.folder / f"{command[0]}.out", "wb")
        self.daemons.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True))

    def wait_until(self, condition, seconds, complaint):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end or any(d.poll() is not None for d in self.daemons):
                raise Cannot(complaint + self.last_words())
            time.sleep(0.1)

    def ready(self):
        result = subprocess.run(["sinfo", "-h", "-o", "%T"], capture_output=True, text=True, timeout=PATIENCE, check=False)
        return result.stdout.split() == ["idle"]

    def last_words(self):
        lines = []
        for name in ("munged.log", "munged.out", "slurmctld.log", "slurmctld.out", "slurmd.log", "slurmd.out"):
            path = self.folder / name
            if path.exists():
                lines += [f"  {name}: {line}" for line in path.read_text(errors="replace").splitlines()[-3:]]
        return "\n" + "\n".join(lines)

    def run(self, attest, cases, out, kill):
        """Submits the array; with `kill` some of its tasks are killed on the way. Returns what slurm-verify did."""
        command = [str(ROOT / "scripts/slurm-verify"), "--shards", str(SHARDS), "--out", str(out), "--attest", attest, str(cases)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if kill:
            # Some like a node that dies, others by Slurm: first those, since Slurm may take longer to answer than the tasks to end.
            kill_shards(out)
            jobs = subprocess.run(["squeue", "-h", "-r", "-t", "RUNNING", "-o", "%i"], capture_output=True, text=True, timeout=PATIENCE,
                                  check=False).stdout.split()
            subprocess.run(["scancel", "--signal=KILL", "--full"] + jobs[::2], timeout=PATIENCE, check=False)
        try:
            stdout, stderr = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            stdout, stderr = process.communicate()
            stderr += f"\nno end after {PATIENCE} s" + self.last_words()
        return process.returncode, stdout, stderr

    def array(self, folder, command):
        """The command in a job array; $task is its number."""
        script = folder / "task.sh"
        script.write_text(f"#!/bin/bash\ntask=$SLURM_ARRAY_TASK_ID\n{command}\n")
        result = subprocess.run(["sbatch", "--quiet", "--wait", f"--array=1-{SHARDS}", f"--output={folder}/%a.log", str(script)],
                                capture_output=True, text=True, timeout=PATIENCE, check=False)
        return result.returncode

    def stop(self):
        for command in (["scancel", "--full", "--signal=KILL", "--user=root"],):
            if self.daemons and "SLURM_CONF" in os.environ and len(self.daemons) == 3:
                subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()


class Plain:
    """The same without Slurm: a process per shard."""

    def run(self, attest, cases, out, kill):
        out.mkdir(exist_ok=True)
        tasks = [subprocess.Popen([attest, "verify", str(cases), "--out", str(out), "--jobs", "1", "--shard", f"{i}/{SHARDS}"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for i in range(1, SHARDS + 1)]
        if kill:
            kill_shards(out)
        for task in tasks:
            task.wait(timeout=PATIENCE)
        ledgers = [str(out / f"ledger-{i}-of-{SHARDS}.jsonl") for i in range(1, SHARDS + 1)]
        result = subprocess.run([attest, "merge"] + ledgers, capture_output=True, text=True, timeout=PATIENCE, check=False)
        return result.returncode, result.stdout, result.stderr

    def array(self, folder, command):
        tasks = [subprocess.Popen(["bash", "-c", f"task={i}\n{command}"], stdout=subprocess.DEVNULL)
                 for i in range(1, SHARDS + 1)]
        return max(task.wait(timeout=PATIENCE) for task in tasks)

    def stop(self):
        pass


def npy(path, shape, seed):
    """Small integers, some rows of which repeat."""
    size = 1
    for n in shape:
        size *= n
    header = f"{{'descr': '<i8', 'fortran_order': False, 'shape': {tuple(shape)}, }}".ljust(117) + "\n"
    values, state = [], seed
    for k in range(size):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        row = k // shape[-1]
        values.append(values[k - 2 * shape[-1]] if len(shape) == 2 and row > 2 and row % 7 == 3 else (state >> 40) % 19 - 9)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{size}q", *values))


def rank_by_blocks(cluster, attest, folder, check):
    """One elimination over the tasks of an array: the certificate of one process."""
    folder.mkdir()
    examples = 1000
    for name, shape in (("c", (6, 8)), ("q", (examples, 8)), ("k", (12, 8, 3)), ("w", (12, 8, 3))):
        npy(folder / f"{name}.npy", shape, 1 + ord(name))
    arrays = [attest, "rank", "--contexts", f"{folder}/c.npy", "--queries", f"{folder}/q.npy", "--key", f"{folder}/k.npy",
              "--query", f"{folder}/w.npy"]
    block = examples // SHARDS
    status = cluster.array(folder, f"{' '.join(arrays)} --rows $(((task - 1) * {block})):$((task * {block})) --basis {folder}/$task.json")
    check(status == 0, f"the array of blocks of rows ended with {status}")
    results = [subprocess.run(arrays + more, capture_output=True, text=True, timeout=PATIENCE, check=False)
               for more in (["--out", f"{folder}/one"],
                            ["--out", f"{folder}/two", "--combine"] + [f"{folder}/{i}.json" for i in range(SHARDS, 0, -1)])]
    check(all(r.returncode == 0 for r in results), f"rank: {[r.stdout + r.stderr for r in results]}")
    if all(r.returncode == 0 for r in results):
        check((folder / "one/rank.json").read_bytes() == (folder / "two/rank.json").read_bytes(),
              "the certificate of blocks of rows is not that of one process")
        print("by blocks of rows: " + results[1].stdout.splitlines()[0])


def recorded(out):
    return sum(path.read_bytes().count(b"\n") for path in out.glob("ledger-*.jsonl"))


def kill_shards(out):
    """kill -9 for the programs of this run that work on a shard with an odd number, found by their own command lines, each
    once its ledger has some lines: then it is at work, and far from the end."""
    end = time.monotonic() + PATIENCE
    left = set(range(1, SHARDS + 1, 2))
    while left and time.monotonic() < end:
        for shard in sorted(left):
            ledger = out / f"ledger-{shard}-of-{SHARDS}.jsonl"
            if ledger.exists() and ledger.read_bytes().count(b"\n") > 30:
                kill_shard(out, shard)
                left.remove(shard)
        time.sleep(0.02)


def kill_shard(out, shard):
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if "verify" in words and str(out) in words and f"{shard}/{SHARDS}" in words:
            try:
                os.kill(int(entry.name), signal.SIGKILL)
            except ProcessLookupError:
                pass


def last_line(text):
    return text.strip().rsplit("\n", 1)[-1]


def merkle_root(leaves):
    """RFC 6962, section 2.1, as it is written there."""
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    split = 1
    while 2 * split < len(leaves):
        split *= 2
    return hashlib.sha256(b"\1" + merkle_root(leaves[:split]) + merkle_root(leaves[split:])).digest()


def root_of(manifest):
    lines = [json.loads(line) for line in manifest.read_text().splitlines()]
    leaves = ["attest-case/1\n{digest}\n{proof}\n".format(**line) + "".join(f"{s} {v}\n" for s, v in line["claims"])
              for line in lines[1:]]
    return lines[0], merkle_root([leaf.encode() for leaf in sorted(leaves)]).hex()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("attest")
    parser.add_argument("--cases", type=int, default=10000)
    parser.add_argument("--without-slurm", action="store_true")
    options = parser.parse_args()
    attest = str(pathlib.Path(options.attest).resolve())
    failures, passed = [], 0

    def check(condition, text):
        nonlocal passed
        passed += bool(condition)
        if not condition:
            failures.append(text)

    # 50,000 small files: in memory where there is room, because a disk that others use takes minutes for them.
    memory = pathlib.Path("/dev/shm")
    roomy = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 50000 * options.cases
    with tempfile.TemporaryDirectory(prefix="attest-slurm-", dir=memory if roomy else None) as name:
        folder = pathlib.Path(name)
        (folder / "slurm").mkdir()
        began = time.monotonic()
        write_cases(folder / "cases", options.cases)
        cluster = None
        if not options.without_slurm:
            try:
                cluster = Slurm(folder / "slurm")
                print(f"a Slurm of one node runs after {time.monotonic() - began:.1f} s")
            except Cannot as reason:
                print(f"SLURM CANNOT BE STARTED HERE, plain processes instead: {reason}")
        cluster = cluster or Plain()
        try:
            out = folder / "out"
            began = time.monotonic()
            status, stdout, stderr = cluster.run(attest, folder / "cases", out, kill=True)
            done = max(0, recorded(out) - SHARDS)
            print(f"killed after {time.monotonic() - began:.1f} s: {done} of {options.cases} cases are recorded")
            check(status == 2 and "root" not in stdout and "not been run" in stderr,
                  f"the array was not complete, and merging ended with {status}: {stdout}{stderr}")
            check(0 < done < options.cases, f"{done} cases were recorded before the kill")
            before = {path.name: path.read_bytes() for path in out.glob("ledger-*.jsonl")}
            began = time.monotonic()
            status, stdout, stderr = cluster.run(attest, folder / "cases", out, kill=False)
            print(f"submitted again: {time.monotonic() - began:.1f} s")
            check(status == 0 and "\nroot " in stdout, f"the array submitted again ended with {status}: {stdout}{stderr}")
            for ledger, text in before.items():
                check((out / ledger).read_bytes().startswith(text[:text.rfind(b"\n") + 1]), f"{ledger} has lost lines")
            sizes = [(out / f"ledger-{i}-of-{SHARDS}.jsonl").read_bytes().count(b"\n") - 1 for i in range(1, SHARDS + 1)]
            check(sum(sizes) == options.cases, f"{sum(sizes)} lines for {options.cases} cases: some were run twice")
            rank_by_blocks(cluster, attest, folder / "rank", check)
            mean = options.cases / SHARDS
            check(all(abs(size - mean) < 6 * mean ** 0.5 for size in sizes), f"the shards are not even: {sizes}")
        finally:
            began = time.monotonic()
            cluster.stop()
            print(f"ended after {time.monotonic() - began:.1f} s")

        began = time.monotonic()
        one = folder / "one"
        result = subprocess.run([attest, "verify", str(folder / "cases"), "--out", str(one), "--shard", "1/1"], capture_output=True,
                                text=True, timeout=PATIENCE, check=False)
        check(result.returncode == 0, f"one process: {last_line(result.stdout)} {last_line(result.stderr)}")
        print("in one run: " + last_line(result.stdout))
        merged = subprocess.run([attest, "merge", str(one / "ledger-1-of-1.jsonl")], capture_output=True, text=True, timeout=PATIENCE,
                                check=False)
        check(merged.returncode == 0, f"merging one ledger: {merged.stderr}")
        if (one / "manifest.jsonl").exists() and (out / "manifest.jsonl").exists():
            check((one / "manifest.jsonl").read_bytes() == (out / "manifest.jsonl").read_bytes(), "the manifests differ")
            head, root = root_of(one / "manifest.jsonl")
            check(head["root"] == root and f"root {root}" in stdout, f"the root is not that of RFC 6962: {head['root']}, {root}")
            check(head["cases"] == options.cases, f"{head['cases']} cases")
            print("root " + root)
        result = subprocess.run([attest, "check", str(out), "--out", str(folder / "checked"), "--shard", "1/1"], capture_output=True,
                                text=True, timeout=PATIENCE, check=False)
        check(result.returncode == 0, f"checking: {last_line(result.stdout)} {last_line(result.stderr)}")
        print("checked: " + last_line(result.stdout))
        merged = subprocess.run([attest, "merge", str(folder / "checked/ledger-1-of-1.jsonl")], capture_output=True, text=True,
                                timeout=PATIENCE, check=False)
        check((folder / "checked/manifest.jsonl").exists() and
              (folder / "checked/manifest.jsonl").read_bytes() == (one / "manifest.jsonl").read_bytes(),
              f"the checker's manifest differs: {merged.stdout}{merged.stderr}")
    print("\n".join(failures), end="\n" if failures else "")
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
