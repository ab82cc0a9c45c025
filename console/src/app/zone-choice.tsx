import { texts } from '../texts/en.js';
import { chooseZone, offsetName, useZone, ZONES } from '../ui/time-zone.js';
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
            {texts.time.zones[name](offsetName(name))}
          </option>
        ))}
      </select>
    </label>
  );
}
