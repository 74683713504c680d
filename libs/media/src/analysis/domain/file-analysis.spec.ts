import { SystemClock } from '@atrium/platform/kernel';
import type { AnalysisField } from './analysis-field';
import { FileAnalysis, type Findings } from './file-analysis';

const clock = new SystemClock();
const FIELDS: readonly AnalysisField[] = [
  { name: 'mood', type: 'enum', values: ['calm', 'wild'], source: 'model' },
  { name: 'camera', type: 'string', source: 'metadata', path: 'system.camera', required: true },
];
const NOTHING: Findings = { values: {}, confidence: {}, missing: [], error: null };

const running = (): FileAnalysis =>
  Object.assign(new FileAnalysis(), {
    fa_status: 'running',
    fa_result: {},
    fa_confidence: {},
    fa_missing: [],
    fa_edited: [],
    fa_machine: {},
    fa_error: null,
    fa_credits: 0,
    fa_calls: 0,
  } as const);
const finished = (findings: Partial<Findings>, before: Pick<FileAnalysis, 'fa_result' | 'fa_edited'> | null = null): FileAnalysis => {
  const analysis = running();
  analysis.finish({ ...NOTHING, ...findings }, FIELDS, before, clock);
  return analysis;
};

describe('an analysis that the service made', () => {
  it('waits for credits also when a member has joined it, and not when a member requested it', () => {
    const without = { missing: [{ field: 'mood', reason: 'unavailable' }], error: 'There are no credits.', lacksCredits: true } as const;
    const waits = (by: Pick<FileAnalysis, 'fa_created_by' | 'fa_joined_by'>): boolean => {
      const analysis = Object.assign(running(), { fa_job: null, ...by });
      analysis.finish({ ...NOTHING, ...without }, FIELDS, null, clock);
      return analysis.fa_lacks_credits;
    };
    expect(waits({ fa_created_by: null, fa_joined_by: 'u' })).toBe(true);
    expect(waits({ fa_created_by: 'u', fa_joined_by: null })).toBe(false);
  });
});

describe('an analysis that is done', () => {
  it('is completed with all values, or when there is nothing of a field that need not be there', () => {
    expect(finished({ values: { mood: 'calm', camera: 'X' } }).fa_status).toBe('completed');
    expect(finished({ values: { camera: 'X' }, missing: [{ field: 'mood', reason: 'absent' }] }).fa_status).toBe('completed');
  });

  it('is partial when a value is wrong, could not be asked for, or had to be there', () => {
    expect(finished({ values: { camera: 'X' }, missing: [{ field: 'mood', reason: 'invalid' }] }).fa_status).toBe('partial');
    expect(finished({ values: { mood: 'calm' }, missing: [{ field: 'camera', reason: 'absent' }] }).fa_status).toBe('partial');
  });

  it('is failed when nothing was found because something went wrong', () => {
    expect(finished({ missing: [{ field: 'mood', reason: 'unavailable' }], error: 'The provider failed.' }).fa_status).toBe('failed');
  });

  it('keeps what people corrected before, with what the machine says beside it, as long as it fits the fields', () => {
    const kept = finished({ values: { mood: 'calm', camera: 'X' } }, { fa_result: { mood: 'wild' }, fa_edited: ['mood'] });
    expect(kept).toMatchObject({ fa_result: { mood: 'wild', camera: 'X' }, fa_edited: ['mood'], fa_machine: { mood: 'calm' } });
    const outgrown = finished({ values: { mood: 'calm' } }, { fa_result: { mood: 'moody', gone: 1 }, fa_edited: ['mood', 'gone'] });
    expect(outgrown).toMatchObject({ fa_result: { mood: 'calm' }, fa_edited: [], fa_machine: {} });
  });

  it('is neither finished nor cancelled again', () => {
    const analysis = finished({ values: { mood: 'calm', camera: 'X' } });
    expect(() => analysis.cancel(clock)).toThrow('cannot become');
    expect(() => analysis.finish(NOTHING, FIELDS, null, clock)).toThrow('cannot become');
  });
});

describe('a correction', () => {
  it('fills what was missing, is checked, and can be taken back', () => {
    const analysis = finished({ values: { camera: 'X' }, missing: [{ field: 'mood', reason: 'invalid' }] });
    expect(() => analysis.correct({ mood: 'moody' }, FIELDS, clock)).toThrow('is not one of calm, wild');
    analysis.correct({ mood: 'wild' }, FIELDS, clock);
    expect(analysis).toMatchObject({ fa_status: 'completed', fa_result: { mood: 'wild' }, fa_edited: ['mood'], fa_missing: [] });
    analysis.correct({ mood: null }, FIELDS, clock);
    expect(analysis.fa_edited).toEqual([]);
    expect(analysis.fa_result).not.toHaveProperty('mood');
    expect(analysis.fa_missing).toEqual([{ field: 'mood', reason: 'absent' }]);
  });
});
