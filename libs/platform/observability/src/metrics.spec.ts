import { Metrics } from './metrics';

describe('Metrics', () => {
  it('shows requests by route, jobs, the access log and the runtime in the format of Prometheus', async () => {
    const metrics = new Metrics();
    metrics.requests.observe({ method: 'GET', route: '/api/v1/albums/:id', status: 200 }, 0.004);
    metrics.jobs.observe({ job: 'files.ingest', outcome: 'done' }, 0.4);
    metrics.accessLogLost.inc(3);
    metrics.beforeScrape(() => metrics.outboxAge.set(7));
    metrics.beforeScrape(() => Promise.reject(new Error('away')));
    const text = await metrics.renderMetrics();
    expect(text).toContain('atrium_http_request_seconds_bucket{le="0.005",method="GET",route="/api/v1/albums/:id",status="200"} 1');
    expect(text).toContain('atrium_job_seconds_count{job="files.ingest",outcome="done"} 1');
    expect(text).toContain('atrium_access_log_dropped_total 3');
    expect(text).toContain('atrium_outbox_oldest_seconds 7');
    expect(text).toContain('process_resident_memory_bytes');
  });

  it('keeps two hosts of one process apart', async () => {
    const [one, other] = [new Metrics(), new Metrics()];
    one.accessLogLost.inc();
    expect((await other.accessLogLost.get()).values[0]?.value).toBe(0);
  });
});
