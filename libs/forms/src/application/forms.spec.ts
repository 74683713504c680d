import { SystemClock, TimeOrderedIds } from '@atrium/platform/kernel';
import { FormReferences } from './form-references';
import { Forms, type Validation } from './forms';

const forms = new Forms(new FormReferences(), new SystemClock(), new TimeOrderedIds());

describe('many contents of one form', () => {
  it('are checked while others have their turns of the event loop, each with its own outcome', async () => {
    const form = forms.compileForm({ fields: [{ key: 'body', type: 'long_text', label: 'Body', required: true }] });
    const contents = Array.from({ length: 2_000 }, (_, at): Validation => ({
      mode: 'create',
      content: at === 7 ? {} : { body: `${at} ${'a word and another, '.repeat(800)}` },
      at: 'obj_content',
    }));
    let others = 0;
    const timer = setInterval(() => others++, 1);
    const validated = await forms.validateAll(form, contents, null);
    clearInterval(timer);
    expect(others).toBeGreaterThan(0);
    expect(validated.flatMap(({ faults }, at) => (faults.length > 0 ? [at] : []))).toEqual([7]);
    expect(validated[8]?.content?.['body']).toMatch(/^8 a word/);
  });
});
