/** Which context each table belongs to; `platform` is all of its rooms. A table of a new step is entered here. */
const TABLES: Readonly<Record<string, string>> = {
  platform: `
    atrium_migration background_job idempotency_key job_turn job_worker outbox request_strike schedule stream_event stream_fence`,
  identity: `
    account account_link account_session account_token api_key invitation issuer issuer_keys licence operator_call refresh_replay
    refresh_token role sign_in_throttle signing_key user_role_link workspace workspace_tombstone workspace_user`,
  governance: `
    access_log access_log_default access_log_scrubbing audit_event audit_event_default audit_seal budget budget_counter cost credit_balance
    credit_grant credit_hold credit_ledger erasure_subject legal_hold partition_plan platform_cost privacy_request rate_count rate_override
    retention_held retention_check retention_policy retention_run seal_key storage_consumption storage_delta storage_person storage_provider
    storage_quota storage_snapshot usage_cells usage_daily usage_days usage_delta usage_entry usage_entry_default usage_horizon usage_hourly
    retention_look usage_reversal usage_sources usage_thin usage_unreported usage_untold workspace_cost`,
  models: 'model_provider',
  approvals: 'approval_decision approval_flow approval_request approval_standing approval_waiting',
  forms: 'form form_migration form_number form_number_range form_revision_log form_unique form_value import_batch',
  files: `
    download_job file file_blob file_day file_day_delta file_history file_job file_phash_band file_pin file_pref file_search_text
    file_version file_word file_word_delta saved_search upload`,
  retrieval: 'embedding_cache file_text passage passage_scope passage_source vector_entry',
  media: `
    album album_change album_file album_snapshot album_snapshot_file consent_expiry_position consent_look duplicate_dismissal duplicate_group duplicate_group_file
    duplicate_merge face face_erasure face_rejection face_scan face_suggestion file_analysis file_rights_notice file_tag file_tag_refusal
    media_analysis_schema media_status_flow media_tag media_tag_group media_tag_word person person_merge person_pref stock_import`,
  distribution: `
    distribution_restriction edge_sync publication publication_history publication_restriction publication_stat share_device share_download
    share_event share_event_default share_link share_token share_upload share_verdict share_visit`,
  documents: 'document document_relation document_relation_type',
  knowledge: `
    crawl_page ds_file knowledge_base knowledge_base_tally knowledge_crawl knowledge_job knowledge_job_fault knowledge_record
    knowledge_record_version`,
  objects: `
    object object_flow object_import object_import_fault object_revision object_source object_source_removal object_sync_row
    object_sync_run object_sync_seen object_transition taxonomy term`,
  ai: `
    agent agent_revision memory memory_forgotten message message_file prompt prompt_category prompt_category_link prompt_revision
    prompt_wildcard run run_step run_tool_call space space_member thread thread_grant thread_presence wildcard`,
  website: `
    cms_asset cms_component cms_connection cms_link cms_news cms_run cms_run_page content_library content_schema node node_locale node_reference page_part page_publication page_snapshot page_snapshot_ref page_version
    preview_link publish_schedule publish_schedule_node site site_redirect`,
  social: `
    social_api_version social_attempt social_auth social_connection social_metric social_post social_post_file social_slot social_target
    social_variant`,
};

/** The context of each table. */
export const OWNERS: ReadonlyMap<string, string> = new Map(
  Object.entries(TABLES).flatMap(([context, tables]) =>
    tables
      .trim()
      .split(/\s+/)
      .map((table): [string, string] => [table, context]),
  ),
);

/** Areas that purge for themselves, by the name under which they register. */
const CONTEXTS_OF_PURGERS: Readonly<Record<string, string>> = { publications: 'distribution' };

/** The context that a purger speaks for. */
export const contextOfPurger = (name: string): string => CONTEXTS_OF_PURGERS[name] ?? name;
