package org.apache.kafka.common.utils;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Takes the place of the broker's own clock: the machine's clock, shifted by the milliseconds in the file that the property
 * faults.clock.file names. Durations are not affected, as when a clock is set.
 */
class SystemTime implements Time {
    private static final SystemTime SYSTEM_TIME = new SystemTime();
    private static final Path FILE = Path.of(System.getProperty("faults.clock.file"));
    private static final long READ_EVERY_MS = 100;

    private volatile long shift = 0;
    private volatile long readAt = 0;

    public static SystemTime getSystemTime() {
        return SYSTEM_TIME;
    }

    @Override
    public long milliseconds() {
        long now = System.currentTimeMillis();
        if (now - readAt >= READ_EVERY_MS) {
            readAt = now;
            shift = readShift();
        }
        return now + shift;
    }

    @Override
    public long nanoseconds() {
        return System.nanoTime();
    }

    @Override
    public void sleep(long ms) {
        Utils.sleep(ms);
    }

    @Override
    public void waitObject(Object monitor, Supplier<Boolean> condition, long deadlineMs) throws InterruptedException {
        synchronized (monitor) {
            while (!condition.get()) {
                long left = deadlineMs - milliseconds();
                if (left <= 0) throw new TimeoutException("the condition was not met before the deadline");
                monitor.wait(left);
            }
        }
    }

    private long readShift() {
        try {
            return Long.parseLong(Files.readString(FILE).trim());
        } catch (IOException | NumberFormatException error) {
            // The file is being replaced.
            return shift;
        }
    }
}
