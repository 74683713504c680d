import { isGivenAddress, TAINTS, taintOfConversation, type SaidBy } from './taint';

const said = (facts: Partial<SaidBy> = {}): SaidBy => ({ msg_role: 'user', msg_user: 'asker', msg_run: null, msg_files: [], ...facts });
const answer = (msg_run: string | null): SaidBy => said({ msg_role: 'assistant', msg_run });
const RUNS = new Map([
  ['clean', null],
  ['read', TAINTS.passages],
  ['long ago', `Earlier in the conversation: ${TAINTS.passages}`],
]);

describe('a conversation', () => {
  it.each<[string, readonly SaidBy[], string | null]>([
    ['of the asker alone', [said()], null],
    ['with answers that read nothing else', [said(), answer('clean'), said()], null],
    ['with a message of somebody else', [said({ msg_user: 'other' }), said()], TAINTS.others],
    ['with a message of nobody', [said({ msg_user: null })], TAINTS.others],
    ['with a message of an operator', [said({ msg_role: 'operator' })], TAINTS.others],
    ['with a file', [said({ msg_files: ['f1'] })], TAINTS.files],
    ['with an answer that read text of strangers', [answer('read'), said()], `Earlier in the conversation: ${TAINTS.passages}`],
    ['with one that was tainted by its history', [answer('long ago'), said()], `Earlier in the conversation: ${TAINTS.passages}`],
    ['with an answer whose run is gone', [answer('gone'), said()], TAINTS.unknown],
    ['with an answer without a run', [answer(null), said()], TAINTS.unknown],
  ])('%s has the taint that it should', (_, messages, taint) => {
    expect(taintOfConversation('asker', messages, RUNS)).toBe(taint);
  });
});

describe('an address', () => {
  it.each<[string, string, boolean]>([
    ['https://harbour.example/tariff', 'Read https://harbour.example/tariff, please.', true],
    ['https://harbour.example/tariff', 'Read (https://harbour.example/tariff).', true],
    ['https://harbour.example/tariff', 'What does harbour.example/tariff say?', true],
    ['https://harbour.example/', 'What does harbour.example say?', true],
    ['https://HARBOUR.example/', 'What does harbour.example say?', true],
    ['https://harbour.example/tariff?data=secret', 'Read https://harbour.example/tariff', false],
    ['https://harbour.example/other', 'Read https://harbour.example/tariff', false],
    ['https://harbour.example/tar', 'Read https://harbour.example/tariff', false],
    ['https://example/', 'Read https://harbour.example/', false],
    ['ftp://harbour.example/', 'Read ftp://harbour.example/', false],
    ['http://127.0.0.1:9/owned', 'What does it cost?', false],
  ])('%s is given by %j: %s', (address, text, isGiven) => {
    expect(isGivenAddress(address, [text])).toBe(isGiven);
  });
});
