import type { NodeIssue } from '../../nodes/domain/page-draft';
import { NODE_CHECKS, unmetChecks } from './node-checks';

const issue = (code: string, severity: NodeIssue['severity'] = 'warning'): NodeIssue => ({
  code,
  severity,
  locale: 'de',
  path: `node_content.${code}`,
  message: `Is ${code}.`,
});

const ISSUES = [
  issue('required', 'error'),
  issue('reference', 'error'),
  issue('page_not_live'),
  issue('missing'),
  issue('stale'),
  issue('dropped'),
];

describe('the checks of transitions', () => {
  it.each([
    ['schema_valid', ['required', 'reference']],
    ['links', ['reference', 'page_not_live']],
    ['locale_complete', ['missing']],
    ['no_stale_translation', ['stale']],
  ])('%s finds the issues that it is about', (name, codes) => {
    expect(unmetChecks(ISSUES, [name]).map(({ code }) => code)).toEqual(codes);
  });

  it('name each issue once, with its path, however many checks find it', () => {
    expect(unmetChecks([issue('reference', 'error')], NODE_CHECKS)).toEqual([
      { path: 'node_content.reference', code: 'reference', message: 'Is reference.' },
    ]);
  });

  it('find nothing where nothing is checked', () => {
    expect(unmetChecks(ISSUES, [])).toEqual([]);
    expect(unmetChecks(ISSUES, ['toString'])).toEqual([]);
  });
});
