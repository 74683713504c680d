import type { Settings } from '@atrium/platform/config';
import { OperatorGate, operatorTokenHash } from './operator-gate';

const TOKEN = `aop_ops_${'s'.repeat(43)}`;
const gate = (OPERATOR_TOKENS: string): OperatorGate => new OperatorGate({ OPERATOR_TOKENS } as Settings);
const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'let in';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('the gate of operators', () => {
  it('lets the owner of a token in by name, out of several', () => {
    const other = `aop_night-shift_${'t'.repeat(43)}`;
    const open = gate(`ops:${operatorTokenHash(TOKEN)}, night-shift:${operatorTokenHash(other)}`);
    expect(open.admitOperator(`Bearer ${TOKEN}`, '::1')).toEqual({ kind: 'operator', user_id: null, key_id: null, name: 'operator:ops' });
    expect(open.admitOperator(`bearer ${other}`, '::1').name).toBe('operator:night-shift');
    expect(codeOf(() => open.admitOperator(`Bearer ${other.replace('night-shift', 'ops')}`, '::1'))).toBe('unauthenticated');
  });

  it('does not exist without a token', () => {
    expect(codeOf(() => gate('').admitOperator(`Bearer ${TOKEN}`, '::1'))).toBe('not_found');
  });

  it('turns an address away that fails too often, with right tokens too', () => {
    const open = gate(`ops:${operatorTokenHash(TOKEN)}`);
    const codes = Array.from({ length: 11 }, () => codeOf(() => open.admitOperator(undefined, '192.0.2.1')));
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 'unauthenticated'), 'rate_limited']);
    expect(codeOf(() => open.admitOperator(`Bearer ${TOKEN}`, '192.0.2.1'))).toBe('rate_limited');
    expect(codeOf(() => open.admitOperator(`Bearer ${TOKEN}`, '192.0.2.2'))).toBe('let in');
  });

  it.each(['ops', 'ops:abc', `Ops:${operatorTokenHash(TOKEN)}`, `ops=${operatorTokenHash(TOKEN)}`])(
    'refuses to start with %s',
    (setting) => {
      expect(() => gate(setting)).toThrow('OPERATOR_TOKENS');
    },
  );
});
