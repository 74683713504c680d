import type { Principal } from '@atrium/platform/access';
import { accessDenied } from '@atrium/platform/kernel';
import type { FileJobKind, FileJobStep } from '../bulk/application/file-job-kinds';
import { UrlImports } from './url-imports';

describe('an import from a web address', () => {
  it('fetches nothing for a member who may not upload to the repository any more', async () => {
    const kinds: FileJobKind[] = [];
    const openStream = jest.fn();
    new UrlImports(
      ...([
        { read: (work: () => unknown) => work() },
        { openStream },
        { assertRepository: () => Promise.reject(accessDenied('You need upload access.')) },
        {},
        {},
        {},
        { findRow: () => Promise.resolve({ result: null }) },
        { register: (kind: FileJobKind) => void kinds.push(kind) },
        {},
      ] as unknown as ConstructorParameters<typeof UrlImports>),
    ).onModuleInit();
    const params = { repo_type: 'media', repo_id: null, source_url: 'https://example.com/a.png' };
    const step = { job_id: 'j', params, caller: {} as Principal, signal: new AbortController().signal } as unknown as FileJobStep;
    await expect(kinds[0]?.runStep(step)).rejects.toMatchObject({ code: 'permission_denied' });
    expect(openStream).not.toHaveBeenCalled();
  });
});
