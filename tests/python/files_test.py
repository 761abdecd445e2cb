"""Weights without a model: checkpoints of PyTorch, graphs of ONNX, bfloat16 of JAX, floats of 8 bits; and the two lines that
messages give for what is not read, run as they stand.

    files_test.py BUILD_FOLDER
"""

import importlib.util
import os
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile
import unittest

from ended import ended

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

    def converted(self, file):
        """What the two lines make of a file that the command line refuses; they are run as they stand."""
        said = subprocess.run([BUILD / "attest", "rank", "--contexts", file, "--queries", "x.npy", "--key", "x.npy", "--query", "x.npy"], cwd=self.path, capture_output=True, text=True)
        self.assertEqual(said.returncode, 2)
        lines = re.search(r"two lines of Python: (.*?)  \|  (.*?\))(; (?:decimals|only).*)?\n", said.stderr)
        self.assertTrue(lines, said.stderr)
        subprocess.run([sys.executable, "-c", "\n".join(lines.groups()[:2])], cwd=self.path, check=True)
        with numpy.load(self.path / "arrays.npz") as arrays:
            return {name: arrays[name] for name in arrays.files}

    def test_the_two_lines_for_tables(self):
        numpy.savetxt(self.path / "t.csv", self.x[0].numpy(), delimiter=",")
        self.assertTrue((self.converted("t.csv")["array"] == self.x[0].numpy()).all())
        # A name ends no string of the lines.
        name = '"); import os; os.mkdir("made"); ("\\.csv'
        (self.path / name).write_text("1,2\n")
        self.assertEqual(self.converted(name)["array"].tolist(), [[1, 2]])
        self.assertFalse((self.path / "made").exists())

    def test_the_two_lines_for_pickles(self):
        x = self.x[0]
        torch.save({"state": {"key": torch.nn.Parameter(x), "half": x.bfloat16()}, "layers": {0: x.double()}, "step": 7}, self.path / "nested.pt")
        arrays = self.converted("nested.pt")
        self.assertEqual({name: array.dtype.name for name, array in arrays.items()}, {"state.key": "float32", "state.half": "float32", "layers.0": "float64"})
        self.assertTrue((arrays["state.key"] == x.numpy()).all() and (arrays["state.half"] == x.bfloat16().float().numpy()).all())
        torch.save(x, self.path / "one.bin")
        self.assertTrue((self.converted("one.bin")["array"] == x.numpy()).all())
        for held, name in (({"key": x.numpy()}, "key"), (x.numpy(), "array"), (x.tolist(), "array")):
            (self.path / "m.pkl").write_bytes(pickle.dumps(held))
            self.assertTrue((self.converted("m.pkl")[name] == x.numpy()).all())

    @unittest.skipUnless(importlib.util.find_spec("h5py"), "h5py is not installed")
    def test_the_two_lines_for_hdf5(self):
        import h5py

        for name in ("m.h5", "m.hdf5"):
            with h5py.File(self.path / name, "w") as file:
                file["layer/key"] = self.x.numpy()
                file["bias"] = numpy.arange(3.0)
            arrays = self.converted(name)
            self.assertEqual(sorted(arrays), ["bias", "layer/key"])
            self.assertTrue((arrays["layer/key"] == self.x.numpy()).all())
            self.assertEqual(attest.rank(contexts=f"{self.path}/arrays.npz:layer/key", queries=self.x[:, 0], key=torch.eye(4)[None], query=torch.eye(4)[None]).verdict, "verified")
            self.assertEqual(self.converted(f"{name}:layer/key").keys(), arrays.keys())

    @unittest.skipUnless(importlib.util.find_spec("gguf"), "gguf is not installed")
    def test_the_two_lines_for_gguf(self):
        import gguf

        writer = gguf.GGUFWriter(self.path / "m.gguf", "llama")
        writer.add_tensor("blk.0.attn_q.weight", self.x[0].numpy().astype("f4"))
        for step in (writer.write_header_to_file, writer.write_kv_data_to_file, writer.write_tensors_to_file, writer.close):
            step()
        self.assertTrue((self.converted("m.gguf")["blk.0.attn_q.weight"] == self.x[0].numpy()).all())

    def test_a_pointer_of_git_lfs_is_called_one(self):
        pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
        for name in ("p.npy", "p.npz:x", "p.safetensors:x", "p.pt:x"):
            file = self.path / name.split(":")[0]
            file.write_text(pointer)
            with self.assertRaisesRegex(attest.InputError, r"is a pointer of Git LFS, .*git lfs pull"):
                attest.rank(contexts=f"{self.path}/{name}", queries=self.x[:, 0], key=torch.eye(4)[None], query=torch.eye(4)[None])


if __name__ == "__main__":
    ended()
