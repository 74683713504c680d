import { LISTED_REPO_TYPES } from '../domain/repositories';

export const repoTypeSchema = { type: 'string', enum: [...LISTED_REPO_TYPES], description: 'Kind of the repository.' } as const;
export const repoIdSchema = {
  type: 'string',
  format: 'uuid',
  description: 'Id of the owning object. Required for ds, thread, design, prompt and ppt, not allowed for others.',
} as const;

export const REPO_TYPE = { about: 'Kind of the repository.' };
export const REPO_ID = {
  optional: true,
  computed: true,
  about: 'Id of the owning object. Required for ds, thread, design, prompt and ppt, not allowed for others.',
};
