import java.nio.file.Path;
import java.util.List;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.index.reindex.ReindexPlugin;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/** One OpenSearch node for tests: {@code SingleNode HOME DATA PORT} serves HTTP at 127.0.0.1 until the process ends. */
public final class SingleNode extends Node {
    private SingleNode(Environment environment) {
        super(environment, List.of(Netty4Plugin.class, CommonAnalysisPlugin.class, ReindexPlugin.class), true);
    }

    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]);
        Settings settings = Settings.builder()
            .put("path.home", home.toString())
            .put("path.data", arguments[1])
            .put("path.logs", arguments[1] + "/logs")
            .put("cluster.name", "citewell-tests")
            .put("node.name", "test")
            .put("node.processors", 1)
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", arguments[2])
            .put("transport.port", "0")
            // A full disk of the test machine must not make indexes read-only.
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
        LogConfigurator.configureWithoutConfig(settings);
        new SingleNode(new Environment(settings, home.resolve("config"))).start();
        Thread.currentThread().join();
    }
}
