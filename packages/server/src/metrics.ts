import { basename } from 'node:path';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { type StoreInfo, type Swapfold, SwapfoldError } from '@swapfold/core';
import {
  Counter,
  Gauge,
  Histogram,
  type Metric,
  type MetricObject,
  Registry,
  type RegistryContentType,
} from 'prom-client';
import type { Admission } from './admission.ts';
import type { Connections } from './connections.ts';
import { type Overload, overloadReasons } from './overload.ts';
import { lagOf } from './probe.ts';

/** What `createHandler` reports of each request that it has answered, or whose caller hung up. */
export interface Answered {
  /** The path of the route; `undefined` if there is none. */
  readonly route: string | undefined;
  /** `undefined` where the caller hung up before. */
  readonly status: number | undefined;
  readonly milliseconds: number;
  /** Why the server turned it away. */
  readonly overload: Overload | undefined;
}

export interface Metrics {
  readonly contentType: string;
  /** Counts a request that has ended. */
  readonly observe: (answered: Answered) => void;
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>;
  dispose(): void;
}

/** Seconds: from an answer out of memory to the longest search. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface MetricsOptions {
  readonly admission: Admission;
  /** Of a server of its own; a handler has none. */
  readonly connections?: Connections | undefined;
  /** `undefined` until the store is open. */
  readonly store: () => Swapfold | undefined;
  /** Where the metrics are registered. Default: a registry of their own, which has those of the process, too. */
  readonly registry?: Registry<RegistryContentType> | undefined;
}

/** What operators watch: docs/reference/http.md lists every name. Errors: `invalid-config` for a registry that has some of them. */
export function createMetrics({ admission, connections, store, registry: given }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  let refusedConnections = 0;
  const requests = new Counter({
    name: 'swapfold_http_requests_total',
    help: 'Requests by route and status; "other" stands for paths without a route, "hung-up" for callers that did not wait.',
    labelNames: ['route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'swapfold_http_request_duration_seconds',
    help: 'Time from the headers of a request to its answer.',
    labelNames: ['route'],
    buckets,
    registers,
  });
  const refused = new Counter({
    name: 'swapfold_http_refused_total',
    help: 'Requests turned away, by reason.',
    labelNames: ['reason'],
    registers,
    collect() {
      const { refused: now } = connections ?? { refused: 0 };
      this.inc({ reason: 'connections' }, now - refusedConnections);
      refusedConnections = now;
    },
  });
  for (const reason of [...overloadReasons, 'connections']) refused.inc({ reason }, 0);
  const delay = monitorEventLoopDelay({ resolution: 10 });
  addGauges(registry, admission);
  if (connections !== undefined) addConnections(registry, connections);
  if (given === undefined) addProcess(registry);
  addLag(registry, store);
  addLedger(registry, store);
  addEventLoopDelay(registry, delay);

  const metrics = registry.getMetricsAsArray();
  // A registry in the format of OpenMetrics changes the names of counters once it is read.
  const names = metrics.map(({ name }) => name);
  if (given !== undefined) registerAll(given, metrics);
  delay.enable();
  const { contentType } = given ?? registry;
  return {
    contentType,
    observe({ route = 'other', status = 'hung-up', milliseconds, overload }) {
      requests.inc({ route, status });
      durations.observe({ route }, milliseconds / 1000);
      if (overload !== undefined) refused.inc({ reason: overload.reason });
    },
    text: () => (given ?? registry).metrics(),
    dispose() {
      delay.disable();
      for (const name of names) given?.removeSingleMetric(name);
    },
  };
}

/** All of them, or none. Errors: `invalid-config`. */
function registerAll(registry: Registry<RegistryContentType>, metrics: readonly MetricObject[]): void {
  const taken = metrics.find(({ name }) => registry.getSingleMetric(name) !== undefined);
  if (taken !== undefined) {
    const message = `has a metric ${taken.name} already: give each server a registry of its own`;
    throw new SwapfoldError('invalid-config', `"registry": it ${message}.`, {
      details: [{ path: 'registry', message }],
    });
  }
  // A metric that was made is one that can be registered; the types have only its description.
  for (const metric of metrics) registry.registerMetric(metric as unknown as Metric);
}

/** A gauge that is read when it is asked for. */
function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** A counter of what is counted elsewhere. */
function addCounter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

function addConnections(registry: Registry, connections: Connections): void {
  addGauge(registry, 'swapfold_http_connections', 'Open connections.', () => connections.count);
}

/** Of the process: a registry of the service has its own. */
function addProcess(registry: Registry): void {
  const started = Date.now() / 1000 - process.uptime();
  addGauge(registry, 'process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  addGauge(registry, 'process_start_time_seconds', 'Unix time at which the process started.', () => started);
  addCounter(registry, 'process_cpu_seconds_total', 'Processor time, of the user and the system.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
}

function addGauges(registry: Registry, { gates, bodies, connections: live, wrongKeys }: Admission): void {
  const gauge = (name: string, help: string, read: () => number): void => addGauge(registry, name, help, read);
  gauge('swapfold_live_connections', 'Open WebSockets and event streams.', () => live.count);
  gauge('swapfold_http_requests_working', 'Requests in work.', () =>
    Object.values(gates).reduce((sum, { working }) => sum + working, 0),
  );
  gauge('swapfold_http_requests_waiting', 'Requests that wait for a place.', () =>
    Object.values(gates).reduce((sum, { waiting }) => sum + waiting, 0),
  );
  gauge('swapfold_http_body_bytes', 'Bytes of request bodies held.', () => bodies.held);
  addCounter(
    registry,
    'swapfold_live_cut_total',
    'WebSockets and event streams cut off because their clients read too slowly.',
    () => live.cut,
  );
  addCounter(registry, 'swapfold_wrong_keys_total', 'API keys that nobody has.', () => wrongKeys.count);
}

/** How far the store is behind the clock; nothing until it is open, and without swaps or profiles. */
function addLag(registry: Registry, store: () => Swapfold | undefined): void {
  const registers = [registry];
  const statusOf = async () =>
    store()
      ?.status()
      .catch(() => undefined);
  const gauge = (name: string, help: string, of: keyof ReturnType<typeof lagOf>): void => {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const status = await statusOf();
        const seconds = status === undefined ? null : lagOf(status, Date.now() / 1000)[of];
        if (seconds === null) this.remove();
        else this.set(seconds);
      },
    });
  };
  gauge('swapfold_lag_seconds', 'Since the newest stored block time.', 'lag_seconds');
  gauge(
    'swapfold_profiles_age_seconds',
    'Since the instant of the oldest stored profile: that of the last refresh of all.',
    'profiles_age_seconds',
  );
  gauge(
    'swapfold_full_refresh_age_seconds',
    'Since the last refresh of all profiles was stored.',
    'full_refresh_age_seconds',
  );
  new Gauge({
    name: 'swapfold_source_rows',
    help: 'Rows that each source which is followed has given.',
    labelNames: ['source'],
    registers,
    async collect() {
      const status = await statusOf();
      this.reset();
      for (const { name, rows } of status?.sources ?? []) this.set({ source: basename(name) }, rows);
    },
  });
  new Gauge({
    name: 'swapfold_source_undecoded',
    help: 'What each source which is followed could not read, or is not sure of, by reason.',
    labelNames: ['source', 'reason'],
    registers,
    async collect() {
      const status = await statusOf();
      this.reset();
      for (const { name, undecoded } of status?.sources ?? [])
        for (const [reason, count] of Object.entries(undecoded)) this.set({ source: basename(name), reason }, count);
    },
  });
}

/** Milliseconds for which what was counted of the ledger is good enough: it reads tables. */
const COUNTED = 300_000;

/** What came and went beside the swaps, as it was last counted: a reading begins a count, and waits for none. */
function addLedger(registry: Registry, store: () => Swapfold | undefined): void {
  let counted: StoreInfo['ledger'] | undefined;
  let at = Number.NEGATIVE_INFINITY;
  const count = (): void => {
    const dex = store();
    if (dex === undefined || performance.now() - at < COUNTED) return;
    at = performance.now();
    dex.info().then(
      ({ ledger }) => {
        counted = ledger;
      },
      () => undefined,
    );
  };
  const gauge = (name: string, help: string, of: keyof StoreInfo['ledger']): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        count();
        const value = counted?.[of] ?? null;
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  };
  gauge(
    'swapfold_trades_with_gaps',
    'Trades before which tokens came or went unseen, as counted at a reading before, every five minutes at most. So are the next two.',
    'trades_with_gaps',
  );
  gauge('swapfold_contradicted_balances', 'Trades whose balances cannot be.', 'contradicted_balances');
  gauge(
    'swapfold_unmatched_percent',
    'Percent of the value of all sells that has no known cost, as of the stored profiles.',
    'unmatched_share',
  );
}

function addEventLoopDelay(registry: Registry, delay: IntervalHistogram): void {
  new Gauge({
    name: 'swapfold_event_loop_delay_seconds',
    help: 'How late the event loop was since the last reading, by quantile.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      for (const quantile of [0.5, 0.99, 1]) {
        const nanoseconds = delay.count === 0 ? 0 : delay.percentile(quantile * 100);
        this.set({ quantile: String(quantile) }, nanoseconds / 1e9);
      }
      delay.reset();
    },
  });
}
