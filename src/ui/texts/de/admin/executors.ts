import type { executors as english } from '../../en/admin/executors.ts';

export const executors: typeof english = {
  title: 'Executors',
  none: 'Kein Executor ist angemeldet: Nichts kann ausgeführt werden',
  slots: 'Läufe',
  inUse: (running, slots) => `${running} von ${slots}`,
  labels: 'Labels',
  lastSeen: 'Zuletzt gesehen',
  registered: 'Angemeldet',
  instance: 'Prozess',
  connectorTypes: 'Konnektortypen',
  gone: 'Abgemeldete anzeigen',
  states: {
    online: 'Verbunden',
    draining: 'Läuft leer',
    drained: 'Leer',
    lost: 'Verloren',
    gone: 'Abgemeldet',
  },
  runsOf: 'Seine Läufe',
  noRuns: 'Er führt gerade nichts aus',
  drainedBy: (who) => `Veranlasst von ${who}`,
  drain: 'Leerlaufen lassen',
  resume: 'Wieder aufnehmen',
  drainTitle: (name) => `${name} leerlaufen lassen?`,
  drainHint:
    'Er bekommt keine neuen Läufe und führt seine laufenden zu Ende. Läufe, für die kein anderer Executor infrage kommt, bleiben in der Warteschlange. Ein neuer Prozess mit seinem Namen bekommt wieder Läufe.',
  start: {
    title: 'Einen weiteren Executor starten',
    hint: 'Führen Sie dies auf einem Rechner aus, auf dem Headgate installiert ist. Der Schlüssel ist der Wert von SVC_EXECUTOR_KEY des Servers. Mit --label region=eu bekommt der Executor ein Label.',
    noKey:
      'Dieser Server hat keinen Executor-Schlüssel: Nur sein eigener Executor kann sich verbinden. Erzeugen Sie zuerst einen Schlüssel und starten Sie den Server damit neu, auf einem festen Port.',
    thisMachine:
      'Diese Adresse erreichen nur Executors auf dem Rechner des Servers. Für andere starten Sie den Server mit SVC_GRPC_HOST, SVC_GRPC_PORT und einem Zertifikat (SVC_GRPC_TLS_CERT, SVC_GRPC_TLS_KEY) neu.',
    makeKey: 'Einen Schlüssel erzeugen',
  },
  queue: {
    title: 'Warteschlange',
    none: 'Die Warteschlange ist leer',
    waits: 'Wartet seit',
    priority: 'Priorität',
    why: 'Warum',
    reasons: {
      delayed: 'Für später geplant',
      concurrency: 'Grenze für gleichzeitige Läufe',
      no_executor: 'Kein Executor passt',
      draining: 'Executors laufen leer',
      slots_full: 'Alle Plätze belegt',
      ready: 'Beginnt gleich',
    },
    cancel: 'Abbrechen',
    cancelTitle: (id) => `Den Lauf ${id} abbrechen?`,
    cancelHint:
      'Er verlässt die Warteschlange und wird nicht ausgeführt. Sein Job-Lauf geht weiter wie nach jedem abgebrochenen Task.',
    keep: 'In der Warteschlange lassen',
    order:
      'Älteste zuerst. Executors nehmen Läufe mit höherer Priorität vor solchen mit niedrigerer; bei gleicher Priorität wechseln sich die Jobs ab.',
  },
};
