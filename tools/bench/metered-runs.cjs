// What a run of an agent takes besides its statements and its model: a worker that loads this prints one line of JSON for each run.
const { AsyncLocalStorage } = require('node:async_hooks');
const { TransformStream } = require('node:stream/web');
const { join } = require('node:path');
const { Client } = require('pg');

const runs = new AsyncLocalStorage();
const now = () => performance.now();

/** The time in which a run waits for statements or its model; those that overlap count once. */
class Meter {
  began = now();
  cpu = process.cpuUsage();
  statements = 0;
  elsewhere = 0;
  waiting = 0;
  since = 0;

  begin() {
    if (this.waiting++ === 0) this.since = now();
  }

  end() {
    if (--this.waiting === 0) this.elsewhere += now() - this.since;
  }

  report() {
    const [all, cpu] = [now() - this.began, process.cpuUsage(this.cpu)];
    return { all_ms: all, own_ms: all - this.elsewhere, cpu_ms: (cpu.user + cpu.system) / 1_000, statements: this.statements };
  }
}

/** Statements leave one by one, which answers a promise, or several in one message, whose object hears of its end. */
function meterStatements() {
  const query = Client.prototype.query;
  Client.prototype.query = function metered(...args) {
    const meter = runs.getStore();
    const together = Array.isArray(args[0]?.statements) ? args[0] : undefined;
    if (!meter) return query.apply(this, args);
    meter.statements += together ? together.statements.length : 1;
    meter.begin();
    let hasEnded = false;
    const end = () => {
      if (!hasEnded) meter.end();
      hasEnded = true;
    };
    if (together) {
      for (const name of ['handleReadyForQuery', 'handleError']) {
        const heard = together[name];
        together[name] = function ended(...rest) {
          end();
          return heard.apply(this, rest);
        };
      }
    }
    const sent = query.apply(this, args);
    if (!together) Promise.resolve(sent).then(end, end);
    return sent;
  };
}

function meterModel({ ExtractModel }) {
  const doStream = ExtractModel.prototype.doStream;
  ExtractModel.prototype.doStream = async function metered(options) {
    const meter = runs.getStore();
    meter?.begin();
    const { stream, ...rest } = await doStream.call(this, options);
    const watched = stream.pipeThrough(new TransformStream({ flush: () => meter?.end() }));
    return { ...rest, stream: watched };
  };
}

function meterRuns({ RunEngine }) {
  const run = RunEngine.prototype.executeRun;
  RunEngine.prototype.executeRun = function metered(...args) {
    const meter = new Meter();
    return runs.run(meter, async () => {
      await run.apply(this, args);
      console.log(JSON.stringify(meter.report()));
    });
  };
}

const built = (path) => require(join(__dirname, '../../dist', path));
meterStatements();
meterModel(built('libs/models/src/infrastructure/extract-model.js'));
meterRuns(built('libs/ai/src/runs/loop/application/run-engine.js'));
