using System.Text;
using System.Text.Json;

string Setting(string name, string otherwise) => Environment.GetEnvironmentVariable(name) ?? otherwise;

var signature = new Signature(Setting("WEBHOOK_SECRET", ""));
var inbox = new Inbox(Setting("INBOX", "inbox.sqlite"), (id, body) =>
{
    string? eventType = JsonDocument.Parse(body).RootElement.GetProperty("eventType").GetString();
    Console.WriteLine($"handled {id} {eventType}");
});

var builder = WebApplication.CreateBuilder(args);
builder.Logging.SetMinimumLevel(LogLevel.Warning);
builder.WebHost.UseUrls($"http://127.0.0.1:{Setting("PORT", "3000")}");
var app = builder.Build();
app.MapPost("/hook", async (HttpRequest request) =>
{
    using var raw = new MemoryStream();
    await request.Body.CopyToAsync(raw);
    byte[] body = raw.ToArray();
    // Not from Postrider, or the secret is wrong. A 500 would be retried.
    if (!signature.IsGenuine(body, request.Headers)) return Results.StatusCode(400);
    inbox.Add(request.Headers["webhook-id"].ToString(), Encoding.UTF8.GetString(body));
    return Results.NoContent();
});
app.Run();
