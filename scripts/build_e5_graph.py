"""Writes the ONNX graph of multilingual-e5-small without its weights: python scripts/build_e5_graph.py.

The weights are external initializers that ``citewell.adapters.embedders.e5_session`` supplies at run time. Inputs are the
summed embeddings of one text, shape (1, tokens, 384); the output is the last layer.
"""

from __future__ import annotations

from pathlib import Path

from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper

HIDDEN, INNER, LAYERS, HEADS, EPSILON = 384, 1536, 12, 12, 1e-12
TARGET = Path(__file__).parents[1] / "src/citewell/adapters/embedders/e5_small.onnx"
MICROSOFT = "com.microsoft"


class GraphBuilder:
    """Collects nodes and the declarations of initializers that have no data here."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.initializers: list[TensorProto] = []

    def weight(self, name: str, *shape: int, kind: int = TensorProto.FLOAT) -> str:
        tensor = TensorProto(name=name, data_type=kind, dims=shape, data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="fed-at-run-time")
        self.initializers.append(tensor)
        return name

    def node(self, kind: str, inputs: list[str], *outputs: str, domain: str = MICROSOFT, **attributes: object) -> str:
        self.nodes.append(helper.make_node(kind, inputs, outputs, name=outputs[0], domain=domain, **attributes))
        return outputs[0]

    def int8(self, name: str, inputs: int, outputs: int) -> list[str]:
        return [self.weight(f"{name}.int8", inputs, outputs, kind=TensorProto.INT8), self.weight(f"{name}.scale", outputs)]

    def product(self, x: str, name: str, inputs: int, outputs: int) -> str:
        return self.node("DynamicQuantizeMatMul", [x, *self.int8(f"{name}.w", inputs, outputs)], f"{name}.out")

    def attention(self, x: str, layer: str) -> str:
        quantised = [f"{layer}.x.int8", f"{layer}.x.scale", f"{layer}.x.zero"]
        self.node("DynamicQuantizeLinear", [x], *quantised, domain="")
        weights, scale = self.int8(f"{layer}.qkv.w", HIDDEN, 3 * HIDDEN)
        bias = self.weight(f"{layer}.qkv.b", 3 * HIDDEN)
        inputs = [quantised[0], weights, bias, quantised[1], scale, "", quantised[2]]
        return self.node("QAttention", inputs, f"{layer}.context", num_heads=HEADS)

    def add_and_normalise(self, x: str, residual: str, name: str, bias: str, output: str) -> str:
        inputs = [x, residual, self.weight(f"{name}.w", HIDDEN), self.weight(f"{name}.b", HIDDEN), self.weight(bias, HIDDEN)]
        return self.node("SkipLayerNormalization", inputs, output, epsilon=EPSILON)

    def layer(self, x: str, name: str, output: str) -> str:
        mixed = self.product(self.attention(x, name), f"{name}.ao", HIDDEN, HIDDEN)
        middle = self.add_and_normalise(mixed, x, f"{name}.aln", f"{name}.ao.b", f"{name}.middle")
        wide = self.product(middle, f"{name}.fi", HIDDEN, INNER)
        active = self.node("BiasGelu", [wide, self.weight(f"{name}.fi.b", INNER)], f"{name}.active")
        narrow = self.product(active, f"{name}.fo", INNER, HIDDEN)
        return self.add_and_normalise(narrow, middle, f"{name}.oln", f"{name}.fo.b", output)


def build_graph() -> GraphProto:
    builder = GraphBuilder()
    normaliser = [builder.weight("emb.ln.w", HIDDEN), builder.weight("emb.ln.b", HIDDEN)]
    x = builder.node("LayerNormalization", ["embedded", *normaliser], "normalised", domain="", epsilon=EPSILON)
    for layer in range(LAYERS):
        x = builder.layer(x, f"l{layer}", f"l{layer}.out" if layer < LAYERS - 1 else "hidden")
    shape = [1, "tokens", HIDDEN]
    return helper.make_graph(
        builder.nodes,
        "multilingual-e5-small",
        [helper.make_tensor_value_info("embedded", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("hidden", TensorProto.FLOAT, shape)],
        initializer=builder.initializers,
    )


def build_model() -> ModelProto:
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
    return helper.make_model(build_graph(), opset_imports=opsets, ir_version=9, producer_name="citewell")


if __name__ == "__main__":
    TARGET.write_bytes(build_model().SerializeToString(deterministic=True))
    print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes")
