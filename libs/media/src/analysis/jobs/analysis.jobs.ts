import { SECOND } from '@atrium/platform/kernel';
import { defineJob, defineSubscriber } from '@atrium/platform/messaging';
import { IsIn, IsUUID } from 'class-validator';

/** Names the analysis that is to be made. */
export class AnalysisPayload {
  @IsUUID() fa_id!: string;
}

/** Finds out about one file what one schema asks. Calls of models are repeated within a run; a run is repeated when a worker is lost. */
export const analysis = defineJob('media.analysis', {
  payload: AnalysisPayload,
  attempts: 4,
  backoffMs: 2 * SECOND,
  key: ({ fa_id }) => fa_id,
});

/** Names the file whose meaning is to be indexed. */
export class EmbedPayload {
  @IsUUID() file_id!: string;
}

/** Puts what a file is about into the index of meanings. */
export const embed = defineJob('media.embed', { payload: EmbedPayload, attempts: 5, backoffMs: 5 * SECOND, key: ({ file_id }) => file_id });

/** Why what waits is looked at. */
export class WaitingPayload {
  @IsIn(['credits']) because!: 'credits';
}

/** Puts what is missing into the index of meanings, once there are credits for it; one run at a time. */
export const embedWaiting = defineJob('media.embed-waiting', {
  payload: WaitingPayload,
  bulk: true,
  attempts: 5,
  backoffMs: 5 * SECOND,
  key: () => 'all',
});

/** Makes the analyses again that nobody asked for and that lacked credits, once there are some; one run at a time. */
export const analyseWaiting = defineJob('media.analyse-waiting', {
  payload: WaitingPayload,
  bulk: true,
  attempts: 5,
  backoffMs: 5 * SECOND,
  key: () => 'all',
});

/** Responds to granted credits: work that waited for them continues. */
export const creditsAvailable = defineSubscriber('media.credit-news', { events: ['credits.granted'], attempts: 5, backoffMs: 2 * SECOND });

/** Of what is said of a file in its own fields, what its meaning is made of. */
const MEANT = ['file_name', 'file_summary'];

/**
 * Responds to changes of files: new ones are analysed by automatic schemas, and their texts are indexed. A change that names its fields is
 * ignored if none of them matters.
 */
export const fileEvents = defineSubscriber('media.file-news', {
  events: ['file.ready', 'file.updated', 'file.tagged', 'file.analyzed', 'file.moved'],
  wants: (event, { fields }) =>
    event !== 'file.updated' || !Array.isArray(fields) || fields.some((field) => MEANT.some((meant) => meant === field)),
  attempts: 5,
  backoffMs: 2 * SECOND,
});
