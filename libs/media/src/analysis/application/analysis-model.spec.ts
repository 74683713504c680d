import type { ModelUsage, VisionModel } from '@atrium/models';
import type { DescribedFile } from '@atrium/files';
import type { Database } from '@atrium/platform/database';
import { newId, type Clock } from '@atrium/platform/kernel';
import type { MediaAnalysisSchema } from '../domain/analysis-schema';
import type { FileAnalysesRepository } from '../infrastructure/file-analyses.repository';
import { AnalysisModel, IMAGE_PARAM, type AnalysisQuestion } from './analysis-model';

const TOKENS = { input_tokens: 90, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0, estimated: true };
const STOPPED = new DOMException('stopped', 'AbortError');

interface Charged {
  readonly param: string;
  readonly units: number;
  readonly model: string;
  readonly call: string;
  readonly hold: string | null;
}

/** An analysis whose model is given up on while it reads the picture. */
const cutOff = (charged: Charged[], wasRead: boolean): AnalysisModel =>
  new AnalysisModel(
    { write: (work: () => Promise<unknown>) => work() } as unknown as Database,
    {} as FileAnalysesRepository,
    {
      describeImages: async ({ onCutOff }: Parameters<VisionModel['describeImages']>[0]) => {
        if (wasRead) await onCutOff({ model: 'lab/seer-1', usage: { images: 1, ...TOKENS } });
        throw STOPPED;
      },
    } as unknown as VisionModel,
    { chargeCall: (made: Charged) => charged.push(made) } as unknown as ModelUsage,
    {} as Clock,
    { next: newId },
  );

const sitting = {
  analysis: { fa_id: 'a', fa_file: 'f', fa_created_by: 'u', fa_calls: 0, fa_answer: null, fa_hold: 'held' },
  schema: { mas_fields: [{ name: 'mood', type: 'string', source: 'model' }], mas_prompt: null } as unknown as MediaAnalysisSchema,
  file: { file_name: 'harbour.jpg', file_summary: null } as DescribedFile,
  picture: { bytes: Buffer.alloc(0), type: 'image/jpeg' },
  signal: new AbortController().signal,
} satisfies AnalysisQuestion;

describe('an analysis that is given up while its model reads', () => {
  it('is charged for the picture each time, under what was set aside, and goes on as given up', async () => {
    const charged: Charged[] = [];
    for (let at = 0; at < 2; at++) await expect(cutOff(charged, true).askModel(sitting)).rejects.toBe(STOPPED);
    expect(charged).toEqual(
      [1, 2].map(() => expect.objectContaining({ param: IMAGE_PARAM, units: 1, model: 'lab/seer-1', hold: 'held' }) as Charged),
    );
    expect(new Set(charged.map(({ call }) => call)).size).toBe(2);
  });

  it('costs nothing where nobody read it', async () => {
    const charged: Charged[] = [];
    await expect(cutOff(charged, false).askModel(sitting)).rejects.toBe(STOPPED);
    expect(charged).toEqual([]);
  });
});
