# frozen_string_literal: true

require "rack"
require "standardwebhooks"
require_relative "inbox"

SIGNED = %w[webhook-id webhook-timestamp webhook-signature].freeze

$stdout.sync = true
secret = ENV.fetch("WEBHOOK_SECRET")
raise "WEBHOOK_SECRET is missing" if secret.empty?
webhook = StandardWebhooks::Webhook.new(secret)
inbox = Inbox.new(ENV.fetch("INBOX", "inbox.sqlite")) do |id, delivery|
  puts "handled #{id} #{delivery["eventType"]}"
end

run(lambda do |env|
  request = Rack::Request.new(env)
  next [404, {}, []] unless request.post? && request.path_info == "/hook"

  body = request.body&.read.to_s.force_encoding("UTF-8")
  headers = SIGNED.to_h { |name| [name, env["HTTP_#{name.upcase.tr("-", "_")}"]] }
  begin
    webhook.verify(body, headers)
  rescue StandardError
    next [400, {}, []] # Not from Postrider, or the secret is wrong. A 500 would be retried.
  end
  inbox.add(headers["webhook-id"], body)
  [204, {}, []]
end)
