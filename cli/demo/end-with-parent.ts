// Loaded before a server of the demo: a demo that is killed leaves no servers behind.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The channel has no messages, so it must not keep a server alive that has ended.
process.channel?.unref();
