# frozen_string_literal: true

require "json"
require "sqlite3"

# Stores deliveries once, and hands each of them to a handler later.
class Inbox
  RETRY_AFTER_S = 1

  def initialize(path, &handle)
    @handle = handle
    @database = SQLite3::Database.new(path)
    @lock = Mutex.new
    @wake = Queue.new
    execute("CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body TEXT, done INTEGER DEFAULT 0)")
    Thread.new { work }
  end

  # Does nothing if the id is known already.
  def add(id, body)
    execute("INSERT INTO inbox (id, body) VALUES (?, ?) ON CONFLICT (id) DO NOTHING", [id, body])
    @wake << true
  end

  private

  def execute(sql, values = [])
    @lock.synchronize { @database.execute(sql, values) }
  end

  # Begins with what a crash left.
  def work
    loop do
      rowid, id, body = execute("SELECT rowid, id, body FROM inbox WHERE done = 0 LIMIT 1").first
      next @wake.pop if rowid.nil?

      @handle.call(id, JSON.parse(body))
      execute("UPDATE inbox SET done = 1 WHERE rowid = ?", [rowid])
    rescue StandardError => failed # Otherwise the thread would end, and nothing more would be handled.
      warn "#{id || 'a delivery'} was not handled: #{failed.full_message}"
      sleep RETRY_AFTER_S
    end
  end
end
