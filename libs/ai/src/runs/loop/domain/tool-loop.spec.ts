import { canonicalJson, ToolLoop } from './tool-loop';

const call = (input: object, isInvalid = false) => ({ tool: 'find', input: input as never, isInvalid });

describe('the loop of tools', () => {
  it('has no tools in its last step', () => {
    const loop = new ToolLoop(3);
    expect([1, 2, 3].map((step) => loop.offersTools(step))).toEqual([true, true, false]);
    expect(new ToolLoop(1).offersTools(1)).toBe(false);
  });

  it('ends with the third call of one tool with one input, however its keys are ordered', () => {
    const loop = new ToolLoop(25);
    loop.recordCall(call({ a: 1, b: 2 }));
    expect(loop.isRepeated(call({ b: 2, a: 1 }))).toBe(false);
    loop.recordCall(call({ b: 2, a: 1 }));
    expect(loop.isRepeated(call({ a: 1, b: 2 }))).toBe(true);
    expect(loop.isRepeated(call({ a: 1, b: 3 }))).toBe(false);
    expect(loop.offersTools(3)).toBe(true);
    loop.recordCall(call({ a: 1, b: 2 }));
    expect(loop.offersTools(4)).toBe(false);
  });

  it('takes a tool away whose input was invalid twice, and no other', () => {
    const loop = new ToolLoop(25);
    loop.recordCall(call({ a: 1 }, true));
    expect(loop.isOffered('find')).toBe(true);
    loop.recordCall(call({ a: 2 }, true));
    expect([loop.isOffered('find'), loop.isOffered('calculate')]).toEqual([false, true]);
  });

  it('distinguishes inputs by what they say', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
    expect(canonicalJson({ a: '1' })).not.toBe(canonicalJson({ a: 1 }));
  });
});
