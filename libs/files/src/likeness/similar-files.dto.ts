import { Decimal } from '@atrium/platform/database';
import { acceptParameter, Answer, PageOf } from '@atrium/platform/http';
import { LIKENESSES, type Likeness } from './file-likeness';
import { FileView } from '../core/http/files.dto';

/** Query of GET /files/{id}/similar. */
export class FindSimilar {
  by?: Likeness;
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
    description: '`bytes`: the same bytes; `visual`: pictures that look alike; `meaning`: files about the same.',
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
    description: 'The least similarity, from 0 to 1. Pictures are found for certain from 0.89 on, below that most of them.',
  },
);
acceptParameter(
  FindSimilar,
  { name: 'limit', kind: 'whole', min: 1 },
  { type: 'integer', minimum: 1, maximum: 1_000, default: 50, description: 'Files at most; more than 1000 are cut to 1000.' },
);

@Answer()
class SimilarFileView extends FileView {
  @Decimal({ min: 0, max: 1, about: 'Similarity of the files; 1: no difference was found.', example: 0.9688 }) similarity!: number;
}

export class SimilarFilePage extends PageOf(SimilarFileView) {}
