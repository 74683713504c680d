import { Decimal } from '@atrium/platform/database';
import { acceptParameter, Answer, PageOf } from '@atrium/platform/http';
import { LIKENESSES, type Similarity } from './file-similarity';
import { FileView } from '../core/http/files.dto';

/** Query of GET /files/{id}/similar. */
export class FindSimilar {
  by?: Similarity;
  threshold?: number;
  limit?: number;
}
acceptParameter(
  FindSimilar,
  { name: 'by', kind: 'choice', values: LIKENESSES },
  {
    type: 'string',
    enum: [...LIKENESSES],
    default: 'visual',
    description: '`bytes`: identical content. `visual`: pictures that look alike. `meaning`: files with similar content.',
  },
);
acceptParameter(
  FindSimilar,
  { name: 'threshold', kind: 'number', min: 0, max: 1 },
  {
    type: 'number',
    minimum: 0,
    maximum: 1,
    default: 0.85,
    description: 'Minimum similarity, from 0 to 1. From 0.89 on, all matching pictures are found; below, most of them.',
  },
);
acceptParameter(
  FindSimilar,
  { name: 'limit', kind: 'whole', min: 1 },
  {
    type: 'integer',
    minimum: 1,
    maximum: 1_000,
    default: 50,
    description: 'Maximum number of files. A value above 1000 is reduced to 1000.',
  },
);

@Answer()
class SimilarFileView extends FileView {
  @Decimal({ min: 0, max: 1, about: 'Similarity of the files; 1 means that no difference was found.', example: 0.9688 })
  similarity!: number;
}

export class SimilarFilePage extends PageOf(SimilarFileView) {}
