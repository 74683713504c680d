import { IsUUID } from 'class-validator';

/** Payload of every job of a base: its row says the rest. */
export class KnowledgeJobPayload {
  @IsUUID() job_id!: string;
}
