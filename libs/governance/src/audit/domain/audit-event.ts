import { Choice, Id, Json, Ref, Resource, Stamp, Text } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

export const ACTOR_KINDS = ['person', 'service', 'extension', 'user_via_extension', 'system', 'operator'] as const;

/** One administrative change: who did what to what. Written in the transaction of the change; never changed but for its seal. */
@Resource({ table: 'audit_event', sort: '-aud_timestamp' })
export class AuditEvent {
  @Id({ about: 'Id of the event.', filter: undefined }) readonly aud_id!: string;
  @Stamp({ about: 'When the event happened.', filter: 'range', sort: true }) readonly aud_timestamp!: Date;
  @Text({ about: 'Type of the event, `<resource>.<verb>`, as listed by `GET /admin/audit-events/types`.', example: 'role.updated' })
  readonly aud_type!: string;
  @Ref({ optional: true, about: 'User who made the change. Null for operators and the service itself.', filter: 'equals' })
  readonly aud_actor!: string | null;
  @Choice(ACTOR_KINDS, { about: 'Kind of actor.' }) readonly aud_actor_kind!: (typeof ACTOR_KINDS)[number];
  @Text({ optional: true, about: 'Name of the actor at that time.' }) readonly aud_actor_name!: string | null;
  @Ref({ optional: true, about: 'The API key that was used.' }) readonly aud_key!: string | null;
  @Text({ about: 'Type of the resource that was changed.', example: 'role', filter: 'equals' }) readonly aud_target_type!: string;
  @Text({ optional: true, about: 'Id of the changed resource.', filter: 'equals' }) readonly aud_target_id!: string | null;
  @Text({ optional: true, about: 'Name of the changed resource at that time.' }) readonly aud_target_name!: string | null;
  @Json({ optional: true, about: 'Values of the changed fields before the change. Secrets are shown as `"[set]"`. At most 16 KB.' })
  readonly aud_before!: JsonObject | null;
  @Json({ optional: true, about: 'Values of the changed fields after the change.' }) readonly aud_after!: JsonObject | null;
  @Text({ max: 5_000, optional: true, about: 'Reason, if one was given.' }) readonly aud_reason!: string | null;
  @Text({ optional: true, about: 'IP address of the request.' }) readonly aud_ip!: string | null;
  @Text({ optional: true, about: 'Id of the request: the `X-Request-Id` of its response.', filter: 'equals' }) readonly aud_request_id!:
    string | null;
  @Ref({ optional: true, about: 'Seal that covers the event. Null for about a minute.' }) readonly aud_seal!: string | null;
}

/** An event as it is stored and sealed; its time is ISO 8601 in UTC with milliseconds. */
export type StoredEvent = { readonly [F in Exclude<keyof AuditEvent, 'aud_timestamp'>]: AuditEvent[F] } & {
  readonly tenant_id: string;
  readonly aud_timestamp: string;
};
