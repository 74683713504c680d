import type { RunningApi } from '@atrium/platform/testing';

/** Days and words whose sums differ from a count of the files: none, at every moment. */
export const talliesThatLag = (api: RunningApi, tenant_id: string): Promise<object[]> =>
  api.sql(
    `WITH told AS (
       SELECT 'day' AS what, fd_repo AS repo, fd_day::text AS of, fd_quarantined AS quarantined, fd_files AS files FROM (SELECT * FROM file_day UNION ALL SELECT tenant_id, fd_repo, fd_day, fd_quarantined, fd_files FROM file_day_delta) d WHERE tenant_id = $1
       UNION ALL
       SELECT 'word', fw_repo, fw_word, false, fw_files FROM (SELECT * FROM file_word UNION ALL SELECT tenant_id, fw_repo, fw_word, fw_files FROM file_word_delta) w WHERE tenant_id = $1
     ), counted AS (
       SELECT 'day' AS what, repo_key AS repo, to_char(file_taken AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS of, file_processing = 'quarantined' AS quarantined, 1 AS files
       FROM file WHERE tenant_id = $1 AND file_deleted IS NULL AND repo_type IN ('media', 'docs')
       UNION ALL
       SELECT 'word', repo_type, word, false, 1
       FROM (SELECT DISTINCT file_id, repo_type, lower(w[1]) AS word FROM file, regexp_matches(file_name, '[[:alpha:]]{3,}', 'g') w WHERE tenant_id = $1 AND file_deleted IS NULL) x
     )
     SELECT what, repo, of, quarantined, sum(told) AS told, sum(counted) AS counted
     FROM (SELECT what, repo, of, quarantined, files AS told, 0 AS counted FROM told UNION ALL SELECT what, repo, of, quarantined, 0, files FROM counted) b
     GROUP BY 1, 2, 3, 4 HAVING sum(told) <> sum(counted)`,
    [tenant_id],
  );
