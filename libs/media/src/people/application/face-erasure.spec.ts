import type { FileJobKind } from '@atrium/files';
import { FaceErasure } from './face-erasure';

describe('the erasure of all faces', () => {
  it('is finished once it was confirmed, whatever its requester may still do', () => {
    const kinds: FileJobKind[] = [];
    new FaceErasure(
      ...([
        {},
        {},
        {},
        {},
        {},
        {},
        {},
        {},
        {},
        { register: (kind: FileJobKind) => void kinds.push(kind) },
        {},
      ] as unknown as ConstructorParameters<typeof FaceErasure>),
    ).onModuleInit();
    expect(kinds.map(({ kind }) => [kind.name, kind.seenWith, kind.rights])).toEqual([
      ['media.erase-faces', ['admin:settings'], undefined],
    ]);
  });
});
