import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Metrics } from './metrics';

const ROOT = join(__dirname, '../../../..');
const named = (text: string): Set<string> =>
  new Set([...text.matchAll(/\batrium_[a-z_]+/g)].map(([name]) => name.replace(/_(?:bucket|count|sum)$/, '')));

describe('metrics', () => {
  const ours = new Metrics().registry
    .getMetricsAsArray()
    .map(({ name }) => name)
    .filter((name) => name.startsWith('atrium_'))
    .sort();

  it('are all described, and nothing is described that is not there', () => {
    expect([...named(readFileSync(join(__dirname, '../README.md'), 'utf8'))].sort()).toEqual(ours);
  });

  it('are named rightly by the rules for alerts', () => {
    const rules = named(readFileSync(join(ROOT, 'docker/alerts.yaml'), 'utf8'));
    expect(rules.size).toBeGreaterThan(8);
    expect([...rules].filter((name) => !ours.includes(name))).toEqual([]);
  });

  it('are all on the dashboard, by their own names', () => {
    const { panels } = JSON.parse(readFileSync(join(ROOT, 'docker/grafana-dashboard.json'), 'utf8')) as {
      panels: { targets: { expr: string }[] }[];
    };
    expect([...named(panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n'))].sort()).toEqual(ours);
  });
});
