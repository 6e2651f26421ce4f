export type AlertLevel = 'alert' | 'warning' | 'notice';

/** One line of HAProxy's own log. `file` and `line` where HAProxy names them. */
export interface Alert {
  readonly level: AlertLevel;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}

const LEVELS: Readonly<Record<string, AlertLevel>> = { ALERT: 'alert', WARNING: 'warning', NOTICE: 'notice' };

/** Reads `[ALERT]    (12345) : config : parsing [/path/x.cfg:12] : text`; other lines continue the one before. */
export function parseAlerts(text: string): readonly Alert[] {
  const alerts: Alert[] = [];
  for (const line of text.split('\n')) {
    const match = /^\[(ALERT|WARNING|NOTICE)\]\s+\(\d+\) : (.*)$/.exec(line);
    const level = LEVELS[match?.[1] ?? ''];
    if (level !== undefined && match?.[2] !== undefined) {
      alerts.push(locate(level, match[2]));
      continue;
    }
    const last = alerts.at(-1);
    if (last !== undefined && line.trim() !== '') alerts[alerts.length - 1] = { ...last, message: `${last.message}\n${line}` };
  }
  return alerts;
}

function locate(level: AlertLevel, text: string): Alert {
  const message = text.replace(/^config : /, '');
  const place = /\[((?:\/|\.\/)?[^\]:]+):(\d+)\]\s*:?\s*(.*)$/.exec(message);
  if (place?.[1] === undefined || place[3] === undefined) return { level, message };
  const before = message.slice(0, place.index).replace(/^parsing /, '');
  return { level, message: `${before}${place[3]}`.trim(), file: place[1], line: Number(place[2]) };
}

/** What made HAProxy refuse: the alerts but for the two lines that only count them. */
export function refusals(alerts: readonly Alert[]): readonly Alert[] {
  const summary = /^(?:Error\(s\) found in configuration file|Fatal errors found in configuration)/;
  return alerts.filter((alert) => alert.level === 'alert' && !summary.test(alert.message));
}
