import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { lineReader } from './line-reader.mjs';

function reading(terminal) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = '';
  output.on('data', (bytes) => (shown += bytes));
  return { input, reader: lineReader({ input, output, terminal }), shown: () => shown };
}

test('what is typed on a terminal is shown', async () => {
  const { input, reader, shown } = reading(true);
  const line = reader.next('\n> ');
  for (const key of 'When is low tide?\r') input.write(key);
  assert.equal(await line, 'When is low tide?');
  assert.ok(shown().includes('When is low tide?'), shown());
  reader.close();
});

test('lines from a pipe are repeated behind their prompts, and end with the input', async () => {
  const { input, reader, shown } = reading(false);
  input.end('one\n');
  assert.equal(await reader.next('\n> '), 'one');
  assert.equal(await reader.next('\n> '), '');
  assert.equal(shown(), '\n> one\n\n> \n');
  reader.close();
});
