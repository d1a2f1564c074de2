import type { executors as english } from '../../en/admin/executors.ts';

export const executors: typeof english = {
  title: 'Executors',
  none: 'Kein Executor ist angemeldet: nichts kann laufen',
  slots: 'Läufe',
  inUse: (running, slots) => `${running} von ${slots}`,
  labels: 'Labels',
  lastSeen: 'Zuletzt gesehen',
  registered: 'Angemeldet',
  instance: 'Prozess',
  connectorTypes: 'Konnektortypen',
  gone: 'Abgemeldete zeigen',
  states: {
    online: 'Verbunden',
    draining: 'Läuft leer',
    drained: 'Leer',
    lost: 'Verloren',
    gone: 'Abgemeldet',
  },
  runsOf: 'Was er ausführt',
  noRuns: 'Er führt nichts aus',
  drainedBy: (who) => `Auf Wunsch von ${who}`,
  drain: 'Leerlaufen lassen',
  resume: 'Wieder aufnehmen',
  drainTitle: (name) => `${name} leerlaufen lassen?`,
  drainHint:
    'Er bekommt keine neuen Läufe und beendet, was er hat. Läufe, zu denen kein anderer Executor passt, warten in der Warteschlange. Ein neuer Prozess dieses Namens bekommt wieder Läufe.',
  start: {
    title: 'Einen weiteren Executor starten',
    hint: 'Auf einer Maschine, auf der Headgate installiert ist. Der Schlüssel ist der des Servers: der Wert seines SVC_EXECUTOR_KEY. --label region=eu gibt ihm ein Label.',
    noKey:
      'Dieser Server hat keinen Executor-Schlüssel: nur sein eigener Executor kann sich verbinden. Erzeugen Sie zuerst einen und starten Sie den Server damit, mit einem Port, der derselbe bleibt.',
    thisMachine:
      'Diese Adresse erreichen nur Executors auf der Maschine des Servers. Für andere: den Server mit SVC_GRPC_HOST, SVC_GRPC_PORT und einem Zertifikat (SVC_GRPC_TLS_CERT, SVC_GRPC_TLS_KEY) neu starten.',
    makeKey: 'Einen Schlüssel erzeugen',
  },
  queue: {
    title: 'Warteschlange',
    none: 'Nichts wartet',
    waits: 'Wartet seit',
    priority: 'Priorität',
    why: 'Warum',
    reasons: {
      delayed: 'Seine Zeit ist noch nicht gekommen',
      concurrency: 'Grenze der Gleichzeitigkeit',
      no_executor: 'Kein Executor passt',
      draining: 'Executors laufen leer',
      slots_full: 'Alle Plätze belegt',
      ready: 'Wird gleich genommen',
    },
    cancel: 'Abbrechen',
    cancelTitle: (id) => `Den Lauf ${id} abbrechen?`,
    cancelHint:
      'Er verlässt die Warteschlange und beginnt nie. Sein Job-Lauf geht weiter wie nach jedem abgebrochenen Task.',
    keep: 'In der Warteschlange lassen',
    order:
      'Die ältesten zuerst. Executors nehmen höhere Prioritäten vor niedrigeren; bei gleicher wechseln sich die Jobs ab.',
  },
};
