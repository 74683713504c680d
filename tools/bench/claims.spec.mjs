import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimsIn, placesOf } from './claims.mjs';

const TEXT = 'Storms.\nThe advice came from the NHC [4]. Ports closed [1, 2–3]\nfor two days, says [5](https://example.org/note).';
const texts = new Map([['storms', TEXT]]);
const cited = (said, over = {}) => ({ said, citation: { n: 1, source_id: 'storms', char_start: 8, char_end: TEXT.length, ...over } });
const saidAt = (said) => placesOf(cited(said), texts).map(({ start, end }) => TEXT.slice(start, end));

test('a sentence is found where its source has a number of its own before the full stop', () => {
  assert.deepEqual(saidAt('The advice came from the NHC.'), ['The advice came from the NHC [4].']);
});

test('a sentence is found over numbers and ends of lines, and links are part of it', () => {
  assert.deepEqual(saidAt('Ports closed for two days, says [5](https://example.org/note).'), [TEXT.slice(TEXT.indexOf('Ports'))]);
});

test('what a passage does not say word for word, or says outside of what is cited, has no place in it', () => {
  assert.deepEqual(saidAt('The advice came from the NHS.'), []);
  assert.deepEqual(saidAt('The advice came from the NHC 4.'), []);
  assert.deepEqual(placesOf(cited('Storms.'), texts), []);
  assert.deepEqual(placesOf({ said: 'Storms.' }, texts), []);
});

test('an answer is its sentences with what they cite; one without a citation has no support', () => {
  const citation = { n: 1, source_id: 'storms', char_start: 0, char_end: 7 };
  assert.deepEqual(claimsIn({ msg_text: 'Storms. [1] Nobody says this.', msg_citations: [citation] }), [
    { said: 'Storms.', citation },
    { said: 'Nobody says this.' },
  ]);
  assert.deepEqual(claimsIn({ msg_text: 'I found no answer to this in the sources I can read.', msg_citations: [] }), []);
});
