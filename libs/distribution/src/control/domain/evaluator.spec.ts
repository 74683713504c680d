import { compileDenyList, readDenyList } from './deny-list';
import { ALWAYS_OPEN, evaluatePolicy, policyOf, type AddressState, type TraceLine } from './evaluator';
import { compileRule, factsOf, type CompiledRule, type RuleEffect, type RuleKind, type ReportedFacts } from './rules';

const NOON = new Date('2026-11-20T12:00:00Z');

const rule = (kind: RuleKind, effect: RuleEffect, values: readonly string[], timezone?: string): CompiledRule =>
  compileRule({ source: 'restriction', id: null, name: kind }, { kind, effect, values, timezone });

const decide = (rules: readonly CompiledRule[], told: Partial<ReportedFacts> = {}, unknown: 'refuse' | 'allow' = 'refuse'): string => {
  const { decision, reason } = evaluatePolicy(ALWAYS_OPEN, policyOf(rules, unknown), factsOf({ at: NOON, ...told }));
  return reason ?? decision;
};

describe('rules on a request', () => {
  it('let deny beat allow, and one rule that allows is enough among those of its kind', () => {
    const rules = [rule('territory', 'allow_only', ['EU']), rule('territory', 'allow_only', ['CH']), rule('territory', 'deny', ['FR'])];
    expect(['DE', 'CH', 'FR', 'US'].map((country) => decide(rules, { country }))).toEqual(['allow', 'allow', 'territory', 'territory']);
  });

  it('refuse whose country nobody knows where territories are named, unless the workspace lets them in', () => {
    for (const effect of ['deny', 'allow_only'] as const) {
      expect(decide([rule('territory', effect, ['FR'])])).toBe('territory');
      expect(decide([rule('territory', effect, ['FR'])], {}, 'allow')).toBe('allow');
    }
    expect(decide([rule('territory', 'deny', ['FR'])], { country: 'XX' })).toBe('territory');
    expect(decide([rule('agent', 'deny', ['bot'])])).toBe('allow');
  });

  it('pass requests without a page they come from, unless a rule names none', () => {
    expect(decide([rule('host', 'deny', ['evil.example'])])).toBe('allow');
    expect(decide([rule('host', 'allow_only', ['good.example'])])).toBe('allow');
    expect(decide([rule('host', 'deny', ['none'])])).toBe('host');
    expect(decide([rule('host', 'allow_only', ['good.example', 'none'])])).toBe('allow');
    expect(decide([rule('host', 'allow_only', ['good.example'])], { host: 'evil.example' })).toBe('host');
  });

  it('know hosts by their labels and in punycode', () => {
    const below = [rule('host', 'deny', ['*.evil.example', 'xn--mller-kva.example'])];
    expect(['a.b.evil.example', 'evil.example', 'notevil.example', 'müller.example'].map((host) => decide(below, { host }))).toEqual([
      'host',
      'allow',
      'allow',
      'host',
    ]);
    expect(decide(compileDenyList(['host:evil.example']), { host: 'shop.evil.example' })).toBe('host');
  });

  it('know addresses of both kinds, also IPv4 written as IPv6', () => {
    const networks = [rule('ip', 'deny', ['203.0.113.0/24', '2001:db8::/32'])];
    expect(
      ['203.0.113.7', '::ffff:203.0.113.7', '203.0.114.1', '2001:db8:1::1', '2001:db9::1'].map((ip) => decide(networks, { ip })),
    ).toEqual(['ip', 'ip', 'allow', 'ip', 'allow']);
    expect(decide([rule('ip', 'allow_only', ['203.0.113.0/24'])])).toBe('ip');
  });

  it('read windows in their time zone, over midnight too', () => {
    const office = rule('window', 'allow_only', ['MON-FRI 08:00-18:00'], 'Europe/Berlin');
    expect(
      ['2026-11-20T07:30:00Z', '2026-11-20T17:30:00Z', '2026-11-21T10:00:00Z'].map((at) => decide([office], { at: new Date(at) })),
    ).toEqual(['allow', 'window', 'window']);
    const night = rule('window', 'deny', ['FRI 22:00-06:00']);
    expect(
      ['2026-11-20T23:00:00Z', '2026-11-21T05:59:00Z', '2026-11-21T06:00:00Z'].map((at) => decide([night], { at: new Date(at) })),
    ).toEqual(['window', 'window', 'allow']);
  });

  it('tell crawlers of models from other bots and from browsers', () => {
    const agents = {
      model: 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
      search: 'Mozilla/5.0 (compatible; Googlebot/2.1)',
      browser: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0 Safari/537.36',
    };
    expect(Object.values(agents).map((agent) => decide([rule('agent', 'deny', ['ai-crawler'])], { agent }))).toEqual([
      'agent',
      'allow',
      'allow',
    ]);
    expect(Object.values(agents).map((agent) => decide([rule('agent', 'deny', ['bot'])], { agent }))).toEqual(['agent', 'agent', 'allow']);
  });

  it('answer without looking at every value: fifty rules of three hundred take about as long as of three', () => {
    const rules = (size: number): CompiledRule[] =>
      Array.from({ length: 50 }, (_, at) =>
        at % 2 === 0
          ? rule(
              'ip',
              'deny',
              Array.from({ length: size }, (_, i) => `10.${at}.${Math.floor(i / 250)}.${i % 250}/32`),
            )
          : rule(
              'host',
              'deny',
              Array.from({ length: size }, (_, i) => `h${at}-${i}.example`),
            ),
      );
    const facts = factsOf({ at: NOON, ip: '10.60.1.1', host: 'www.shop.example', country: 'DE' });
    const [few, many] = [policyOf(rules(3), 'refuse'), policyOf(rules(300), 'refuse')];
    const time = (policy: typeof few): number => {
      const from = performance.now();
      for (let i = 0; i < 2_000; i++) evaluatePolicy(ALWAYS_OPEN, policy, facts);
      return performance.now() - from;
    };
    time(few);
    // In turns, so that whatever else the machine does slows both.
    const turns = Array.from({ length: 15 }, () => [time(few), time(many)] as const);
    // A hundred times the values; a list walked through would take a hundred times as long.
    expect(Math.min(...turns.map(([, ofMany]) => ofMany)) / Math.min(...turns.map(([ofFew]) => ofFew))).toBeLessThan(2);
  });
});

describe('the standing of an address', () => {
  const live: AddressState = { ...ALWAYS_OPEN };
  const soon = new Date(NOON.getTime() + 1_000);
  const before = new Date(NOON.getTime() - 1_000);
  const at = (standing: Partial<AddressState>): [number, string | null] => {
    const { status, reason } = evaluatePolicy(
      { ...live, ...standing },
      policyOf([rule('territory', 'deny', ['FR'])], 'refuse'),
      factsOf({ at: NOON, country: 'FR' }),
    );
    return [status, reason];
  };

  it('decides before any rule: unknown, taken back, over, not ready', () => {
    expect(at({ state: 'draft' })).toEqual([404, 'draft']);
    expect(at({ state: 'scheduled', start: soon })).toEqual([404, 'embargo']);
    expect(at({ state: 'scheduled', start: NOON })).toEqual([403, 'territory']);
    expect(at({ state: 'revoked' })).toEqual([410, 'revoked']);
    expect(at({ state: 'revoked', everLive: false })).toEqual([404, 'draft']);
    expect(at({ end: NOON })).toEqual([410, 'ended']);
    expect(at({ state: 'scheduled', start: before, end: before })).toEqual([410, 'ended']);
    expect(at({ ready: false })).toEqual([503, 'copying']);
    expect(at({ closed: 'suspended' })).toEqual([503, 'suspended']);
    expect(at({})).toEqual([403, 'territory']);
  });

  it('is explained test by test, also after the first match', () => {
    const lines: TraceLine[] = [];
    const { reason } = evaluatePolicy(
      { ...live, state: 'revoked' },
      policyOf([rule('territory', 'deny', ['FR'])], 'refuse'),
      factsOf({ at: NOON, country: 'FR' }),
      (line) => lines.push(line),
    );
    expect(reason).toBe('revoked');
    expect(lines.filter(({ matched }) => matched).map(({ rule: name }) => name)).toEqual(['revoked', 'territory']);
  });
});

describe('a deny list', () => {
  it('is brought into one form, and every entry that is none is a fault of its own', () => {
    expect(readDenyList(['fr', 'EU', 'fr', 'HOST:Müller.example', 'ip:203.0.113.9/24', 'ip:10.0.0.1'], 'deny')).toEqual({
      values: ['FR', 'EU', 'host:xn--mller-kva.example', 'ip:203.0.113.0/24', 'ip:10.0.0.1/32'],
      faults: [],
    });
    const { faults } = readDenyList(['XX', 'host:*', 'ip:0.0.0.0/33', 'host:a b', 'ip:1', 'FR'], 'deny');
    expect(faults.map(({ path }) => path)).toEqual(['deny[0]', 'deny[1]', 'deny[2]', 'deny[3]', 'deny[4]']);
  });
});
