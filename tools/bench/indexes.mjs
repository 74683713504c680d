// Large tables are filled without their indexes, which are made when the rows are there: that takes a fraction of keeping them row by row.

/** Removes the indexes of the tables that are not unique; answers what makes them again. */
export async function withoutIndexes(owner, tables) {
  const { rows: indexes } = await owner.query(
    "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename = ANY($1) AND indexdef NOT LIKE 'CREATE UNIQUE %'",
    [tables],
  );
  for (const { indexname } of indexes) await owner.query(`DROP INDEX ${indexname}`);
  return async () => {
    await owner.query("SET maintenance_work_mem = '1GB'; SET max_parallel_maintenance_workers = 2");
    for (const { indexdef } of indexes) await owner.query(indexdef);
  };
}
