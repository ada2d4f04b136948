"""Strategies for texts that are almost Markdown, Python or YAML, in every wrong order."""

from hypothesis import strategies as st

MARKDOWN = """\
# A
## B
### `C` {#c}
Setext
===
---
+++
```
~~~
````
```py
> quoted
> ```
- item
  - sub
  ```
    code
1. one
| a | b |
|---|---|
| 1 | 2 |
<details>
</details>
<!--
-->
title: x
[a]: b
{{< x >}}
A sentence. Another one! 春天来了。
\t
\r
\x0c
"""
PYTHON = """\
def f(a, b):
async def g():
class A(B):
class C:
@d
    def m(self):
    x = 1
    return x
        pass
    if x:
    else:
try:
except E:
    \'\'\'doc
\'\'\'
# remark
    # inner
x = (
)
if x:
    class D: y = 1; z = 2
print 'old'
a = 1; b = 2
\\
\x0c
\r
ü = '春🙂'
\x00
"""
YAML = """\
---
...
a: 1
b:
  c: |
    text
    ---
  - d: e
- f
-
  g: >-
kind: X
apiVersion: v1
metadata:
  name: n
  namespace: {{ x }}
metadata: {name: a, b: c}
# remark
  # inner
? k
'q': "r"
&a
*a
%YAML
\ttab: 1
[
{
"""
LONG = ["word " * 30, "x" * 90, "春" * 90]


def _documents(*lines: str) -> st.SearchStrategy[str]:
    known = [line for text in lines for line in text.split("\n")]
    return st.lists(st.sampled_from(known + LONG), max_size=40).map("\n".join)


TEXTS = st.one_of(
    _documents(MARKDOWN),
    _documents(PYTHON),
    _documents(YAML),
    _documents(MARKDOWN, PYTHON, YAML),
    st.text(max_size=300),
)
