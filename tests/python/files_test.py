"""Weights without a model: checkpoints of PyTorch, graphs of ONNX, bfloat16 of JAX, floats of 8 bits; and the two lines that
messages give for what is not read, run as they stand.

    files_test.py BUILD_FOLDER
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build").resolve()
if not os.environ.get("ATTEST_INSTALLED"):
    sys.path.insert(0, str(BUILD / "python"))

import numpy
import torch

import attest


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        torch.manual_seed(1)
        self.x = torch.randint(-4, 5, (6, 3, 4)).double()
        self.weights = {"q_proj.weight": torch.randn(4, 4), "k_proj.weight": torch.randn(4, 4).bfloat16(), "v_proj.weight": torch.randn(4, 4)}
        self.expected = attest.rank(contexts=self.x, queries=self.x[:, 0], weights=self.weights, layout="llama", heads=2)

    def tearDown(self):
        self.folder.cleanup()

    def asked(self, weights):
        return attest.rank(contexts=self.x, queries=self.x[:, 0], weights=weights, layout="llama", heads=2)

    def test_checkpoints(self):
        for ending in (".pt", ".pth", ".bin", ".ckpt"):
            file = self.path / f"plain{ending}"
            torch.save(self.weights, file)
            self.assertEqual(self.asked(file).lower, self.expected.lower)
            self.assertEqual(self.asked(str(file)).certificate, self.expected.certificate)
        file = str(self.path / "nested.pt")
        torch.save({"epoch": 3, "model": {"layer": {"0.attention": self.weights}, "head": {"weight": torch.eye(2)}}}, file)
        self.assertEqual(self.asked(f"{file}:model.layer.0.attention").certificate, self.expected.certificate)
        torch.save({"c": self.x, "q": self.x[:, 0], "K": torch.randn(1, 4, 2)}, self.path / "arrays.pt")
        at = lambda name: f"{self.path}/arrays.pt:{name}"
        self.assertEqual(attest.rank(contexts=at("c"), queries=at("q"), query=at("K"), key=at("K")).verdict, "verified")
        for weights, says in ((file, "no table of tensors; give .*nested.pt:model; it holds the tables 'model'"), (f"{file}:model", "give .*:model.layer"),
                              (f"{file}:modell", "there is no 'modell'"), (f"{file}:epoch", "of type int")):
            with self.assertRaisesRegex(attest.InputError, says):
                self.asked(weights)
        with self.assertRaisesRegex(attest.InputError, "is no tensor"):
            attest.rank(contexts=f"{file}:model", queries=self.x[:, 0], query=at("K"), key=at("K"))

    def test_no_program_is_run(self):
        class Program:
            def __reduce__(self):
                return os.mkdir, (str(path / "made"),)

        path = self.path
        torch.save({"weights": Program()}, path / "program.pt")
        with self.assertRaisesRegex(attest.InputError, "must hold nothing but tensors"):
            self.asked(path / "program.pt")
        self.assertFalse((path / "made").exists())
        (path / "damaged.pt").write_bytes(b"no checkpoint")
        for name in ("damaged.pt", "missing.pt"):
            with self.assertRaisesRegex(attest.InputError, f"{name} cannot be read"):
                self.asked(path / name)

    def onnx(self):
        import onnx
        import onnx.helper
        import onnx.numpy_helper

        tensors = [onnx.numpy_helper.from_array(tensor.float().numpy(), name) for name, tensor in self.weights.items()]
        onnx.save(onnx.helper.make_model(onnx.helper.make_graph([], "weights", [], [], tensors)), str(self.path / "model.onnx"))
        return str(self.path / "model.onnx")

    def test_onnx(self):
        self.assertEqual(self.asked(self.onnx()).lower, self.expected.lower)

    def test_bfloat16_of_jax(self):
        bits = numpy.array([[0x3F80, 0xC040], [0x0001, 0x3F81]], dtype=numpy.uint16)  # as numpy.save writes what JAX holds
        header = b"{'descr': '|V2', 'fortran_order': False, 'shape': (2, 2), }"
        header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
        (self.path / "jax.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bits.tobytes())
        exact = (torch.tensor(bits.astype(numpy.int32) << 16)).view(torch.float32)
        of = lambda q: attest.rank(contexts=[[[1, 2], [3, 5]]] * 2, queries=q, query=[[[1], [0]]], key=[[[1], [1]]]).certificate
        self.assertEqual(of(str(self.path / "jax.npy")), of(exact))

    def test_the_two_lines_of_messages_work(self):
        """What the command line says of formats that it does not read."""
        torch.save(self.weights, self.path / "model.pt")
        numpy.save(self.path / "c.npy", self.x.numpy())
        numpy.save(self.path / "q.npy", self.x[:, 0].numpy())
        attest_program = BUILD / "attest"
        for file in ("model.pt", self.onnx()):
            command = [attest_program, "rank", "--contexts", "c.npy", "--queries", "q.npy", "--layout", "llama", "--heads", "2", "--weights"]
            said = subprocess.run([*command, pathlib.Path(file).name], cwd=self.path, capture_output=True, text=True)
            self.assertNotEqual(said.returncode, 0)
            lines = re.search(r"two lines of Python: (.*?)  \|  (.*)", said.stderr)
            self.assertTrue(lines, said.stderr)
            subprocess.run([sys.executable, "-c", "\n".join(lines.groups()).strip()], cwd=self.path, check=True)
            done = subprocess.run([*command, "arrays.npz"], cwd=self.path, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            (self.path / "arrays.npz").unlink()


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=1).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed != 0)
