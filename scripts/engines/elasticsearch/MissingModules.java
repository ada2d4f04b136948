import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.cjk.CJKAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.tr.TurkishAnalyzer;
import org.elasticsearch.Build;
import org.elasticsearch.action.ActionListener;
import org.elasticsearch.action.bulk.BulkRequest;
import org.elasticsearch.action.delete.DeleteRequest;
import org.elasticsearch.action.search.SearchRequest;
import org.elasticsearch.action.support.WriteRequest;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.cluster.metadata.IndexNameExpressionResolver;
import org.elasticsearch.cluster.node.DiscoveryNodes;
import org.elasticsearch.common.io.stream.NamedWriteableRegistry;
import org.elasticsearch.common.settings.ClusterSettings;
import org.elasticsearch.common.settings.IndexScopedSettings;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.common.settings.SettingsFilter;
import org.elasticsearch.core.CheckedConsumer;
import org.elasticsearch.features.NodeFeature;
import org.elasticsearch.index.analysis.PreBuiltAnalyzerProviderFactory;
import org.elasticsearch.indices.analysis.PreBuiltCacheFactory.CachingStrategy;
import org.elasticsearch.plugins.ActionPlugin;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.rest.RestChannel;
import org.elasticsearch.rest.RestController;
import org.elasticsearch.rest.RestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestResponse;
import org.elasticsearch.rest.RestStatus;
import org.elasticsearch.rest.action.RestActionListener;
import org.elasticsearch.search.SearchHit;
import org.elasticsearch.search.builder.SearchSourceBuilder;
import org.elasticsearch.xcontent.XContentBuilder;

/**
 * What a distribution has in modules that are not published, as far as tests need it: {@code GET /}, Lucene's analyzers by
 * their usual names, and a plain {@code _delete_by_query}.
 */
public final class MissingModules extends Plugin implements ActionPlugin, AnalysisPlugin {
    @Override
    public Collection<RestHandler> getRestHandlers(
        Settings settings, NamedWriteableRegistry writeables, RestController controller, ClusterSettings cluster,
        IndexScopedSettings index, SettingsFilter filter, IndexNameExpressionResolver resolver,
        Supplier<DiscoveryNodes> nodes, Predicate<NodeFeature> features
    ) {
        return List.of(new Root(settings), new DeleteByQuery(features));
    }

    @Override
    public List<PreBuiltAnalyzerProviderFactory> getPreBuiltAnalyzerProviderFactories() {
        return List.of(
            analyzer("english", EnglishAnalyzer::new),
            analyzer("turkish", TurkishAnalyzer::new),
            analyzer("cjk", CJKAnalyzer::new));
    }

    private static PreBuiltAnalyzerProviderFactory analyzer(String name, Supplier<Analyzer> create) {
        return new PreBuiltAnalyzerProviderFactory(name, CachingStrategy.ONE, create);
    }

    private record DeleteByQuery(Predicate<NodeFeature> features) implements RestHandler {
        private static final int AT_ONCE = 1000;

        @Override
        public List<Route> routes() {
            return List.of(new Route(RestRequest.Method.POST, "/{index}/_delete_by_query"));
        }

        @Override
        public void handleRequest(RestRequest request, RestChannel channel, NodeClient client) throws Exception {
            request.param("refresh");
            request.param("conflicts");
            SearchSourceBuilder source = new SearchSourceBuilder();
            source.parseXContent(request.contentParser(), true, features);
            source.size(AT_ONCE).fetchSource(false);
            deleteRest(new SearchRequest(new String[] { request.param("index") }, source), channel, client, 0);
        }

        private static void deleteRest(SearchRequest search, RestChannel channel, NodeClient client, long deleted) {
            client.search(search, listener(channel, found -> {
                SearchHit[] hits = found.getHits().getHits();
                if (hits.length == 0) {
                    XContentBuilder body = channel.newBuilder().startObject().field("deleted", deleted);
                    channel.sendResponse(new RestResponse(RestStatus.OK, body.startArray("failures").endArray().endObject()));
                    return;
                }
                BulkRequest bulk = new BulkRequest().setRefreshPolicy(WriteRequest.RefreshPolicy.IMMEDIATE);
                for (SearchHit hit : hits) {
                    bulk.add(new DeleteRequest(hit.getIndex(), hit.getId()));
                }
                client.bulk(bulk, listener(channel, done -> deleteRest(search, channel, client, deleted + hits.length)));
            }));
        }

        private static <T> ActionListener<T> listener(RestChannel channel, CheckedConsumer<T, Exception> next) {
            return new RestActionListener<>(channel) {
                @Override
                protected void processResponse(T response) throws Exception {
                    next.accept(response);
                }
            };
        }
    }

    private record Root(Settings settings) implements RestHandler {
        @Override
        public List<Route> routes() {
            return List.of(new Route(RestRequest.Method.GET, "/"), new Route(RestRequest.Method.HEAD, "/"));
        }

        @Override
        public void handleRequest(RestRequest request, RestChannel channel, NodeClient client) throws Exception {
            XContentBuilder body = channel.newBuilder().startObject();
            body.field("name", settings.get("node.name")).field("cluster_name", settings.get("cluster.name"));
            body.startObject("version").field("number", Build.current().qualifiedVersion());
            body.field("build_flavor", Build.current().flavor());
            body.field("lucene_version", org.apache.lucene.util.Version.LATEST.toString()).endObject();
            body.field("tagline", "You Know, for Search").endObject();
            channel.sendResponse(new RestResponse(RestStatus.OK, body));
        }
    }
}
