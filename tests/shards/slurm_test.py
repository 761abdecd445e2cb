#!/usr/bin/env python3
"""4,000 small cases in 8 tasks of a Slurm job array into one folder, some of them killed, all of them submitted again, twice at the
same time: the certificates, results and reports are those of one process.
A one-node Slurm is started in a temporary folder, on free ports, as root, and ended afterwards. Where it cannot be, the same is done
with plain processes, and said.  Usage: slurm_test.py ATTEST [--cases N] [--without-slurm]"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

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
        """Submits the array; with `kill` some of its tasks are killed on the way. Returns what sbatch did."""
        # As docs/guide.md has it.
        command = f"{attest} verify {cases} --changed --out {out} --shard $SLURM_ARRAY_TASK_ID/{SHARDS} --jobs ${{SLURM_CPUS_PER_TASK:-1}}"
        process = subprocess.Popen(["sbatch", "--quiet", "--wait", f"--array=1-{SHARDS}", "--output=/dev/null", "--wrap", command],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
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
        tasks = [subprocess.Popen([attest, "verify", str(cases), "--changed", "--out", str(out), "--jobs", "1", "--shard",
                                   f"{i}/{SHARDS}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for i in range(1, SHARDS + 1)]
        if kill:
            kill_shards(out)
        return max(abs(task.wait(timeout=PATIENCE)) for task in tasks), "", ""

    def stop(self):
        pass


def certificates(out):
    """Of the folder, whatever is in work: name and bytes."""
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*.json")}


def results(file):
    """What --json says of the cases, without times and what is about other runs."""
    cases = json.loads(file.read_text())["cases"]
    for case in cases:
        for key in ("certificate", "seconds", "unchanged"):
            case.pop(key, None)
        for claim in case["claims"]:
            del claim["seconds"]
    return cases


def kill_shards(out):
    """kill -9 for the programs of this run that work on a shard with an odd number, found by their own command lines, each
    some time after the first certificates are there: then it is at work, and far from the end."""
    end = time.monotonic() + PATIENCE
    while len(list(out.glob("*/*.json"))) < 20 * SHARDS and time.monotonic() < end:
        time.sleep(0.02)
    for shard in range(1, SHARDS + 1, 2):
        kill_shard(out, shard)


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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("attest")
    parser.add_argument("--cases", type=int, default=4000)
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
            before = certificates(out)
            print(f"killed after {time.monotonic() - began:.1f} s: {len(before)} of {options.cases} cases are proved")
            check(status != 0, f"the array was not complete, and ended with {status}: {stdout}{stderr}")
            check(0 < len(before) < options.cases, f"{len(before)} cases were proved before the kill")
            began = time.monotonic()
            # Once more, and beside it some of the same shards by hand.
            twice = [subprocess.Popen([attest, "verify", folder / "cases", "--changed", "--out", out, "--shard", f"{i}/{SHARDS}"],
                                      stdout=subprocess.DEVNULL) for i in (1, 2)]
            status, stdout, stderr = cluster.run(attest, folder / "cases", out, kill=False)
            check(status == 0, f"the array submitted again ended with {status}: {stdout}{stderr}")
            check([process.wait(timeout=PATIENCE) for process in twice] == [0, 0], "shards that ran twice")
            print(f"submitted again: {time.monotonic() - began:.1f} s")
            after = certificates(out)
            check(all(after.get(name) == text for name, text in before.items()), "certificates have changed")
        finally:
            began = time.monotonic()
            cluster.stop()
            print(f"ended after {time.monotonic() - began:.1f} s")

        def run(*words):
            result = subprocess.run([attest, *words], capture_output=True, text=True, timeout=PATIENCE, check=False)
            check(result.returncode == 0, f"{words[0]}: {last_line(result.stdout)} {last_line(result.stderr)}")
            print(f"{words[0]}: " + last_line(result.stdout))
            return result.stdout

        run("verify", folder / "cases", "--out", folder / "one", "--json", folder / "one.json")
        last = run("verify", folder / "cases", "--out", out, "--changed", "--json", folder / "all.json", "--junit", folder / "all.xml")
        check(f"; {options.cases} unchanged; " in " ".join(last.split()), "the last command has proved something again")
        check(certificates(out) == certificates(folder / "one") and len(certificates(out)) == options.cases,
              "the certificates are not those of one process")
        check(results(folder / "all.json") == results(folder / "one.json"), "the results are not those of one process")
        claims = sum(len(KINDS[k % len(KINDS)][5]) for k in range(options.cases))
        check(f'tests="{claims}" failures="0"' in (folder / "all.xml").read_text()[:300], "JUnit")
        check([path.name for path in out.rglob(".*")] == [], "temporary files are left")
        sizes = [sum(": valid" in line for line in run("check", out, "-v", "--shard", f"{i}/{SHARDS}").splitlines())
                 for i in range(1, SHARDS + 1)]
        mean = options.cases / SHARDS
        check(sum(sizes) == options.cases and all(abs(size - mean) < 6 * mean ** 0.5 for size in sizes), f"the shards are {sizes}")
    print("\n".join(failures), end="\n" if failures else "")
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
