import { texts } from '../texts/en.js';
import { chooseZone, useZone, ZONES, zoneName } from '../ui/time-zone.js';
import styles from './shell.module.css';

export function ZoneChoice() {
  const zone = useZone();
  return (
    <label className={styles.tool}>
      {texts.time.label}
      <select
        value={zone}
        onChange={({ target }) => chooseZone(ZONES.find((name) => name === target.value) ?? 'local')}
      >
        {ZONES.map((name) => (
          <option key={name} value={name}>
            {texts.time.zones[name](zoneName(name))}
          </option>
        ))}
      </select>
    </label>
  );
}
