import { type Claimant, featuresOf, fits, type RunNeeds, typesOf } from '../../runs/queue/run-kind.ts';
import { splitTypes } from '../../runs/run.ts';

/** The needs of a run that no executor offers, in words; null if one fits. `draining` are those that get no more work. */
export function unfitMessage(
  needs: RunNeeds,
  present: readonly Claimant[],
  draining: readonly Claimant[] = [],
): string | null {
  if (present.some((who) => fits(needs, who))) return null;
  if (draining.some((who) => fits(needs, who))) return 'Every executor that fits is draining: resume one';
  const needed = splitTypes(needs.connector_types);
  const types = typesOf(needed);
  const features = featuresOf(needed);
  const labels = Object.entries(JSON.parse(needs.labels_json) as Record<string, string>);
  const noType = types.filter((type) => !present.some((who) => who.connectorTypes.has(type)));
  const noFeature = featuresOf(needed.filter((need) => !present.some((who) => who.connectorTypes.has(need))));
  const noLabel = labels.filter(([name, value]) => !present.some((who) => who.labels[name] === value));
  const quote = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
  const labelsOf = (pairs: typeof labels) => quote(pairs.map(([name, value]) => `${name}=${value}`));
  if (present.length === 0) return 'No executor is online';
  const missing = [
    ...(noType.length === 0 ? [] : [`the connector type ${quote(noType)}`]),
    ...(noFeature.length === 0 ? [] : [`the feature ${quote(noFeature)} (upgrade one)`]),
    ...(noLabel.length === 0 ? [] : [`the label ${labelsOf(noLabel)}`]),
  ];
  if (missing.length > 0) return `No online executor offers ${missing.join(' and ')}`;
  const all = [
    ...(types.length === 0 ? [] : [`the connector types ${quote(types)}`]),
    ...(features.length === 0 ? [] : [`the features ${quote(features)}`]),
    ...(labels.length === 0 ? [] : [`the labels ${labelsOf(labels)}`]),
  ];
  return `No executor that is online has together ${all.join(' and ')}`;
}
